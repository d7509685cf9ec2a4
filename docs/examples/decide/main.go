// Command decide asks a Recourse server what may follow a failed agent command.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func main() {
	c, err := client.New(os.Getenv("AGENTCTL_SERVER"), os.Getenv("AGENTCTL_TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	exit := int32(1)
	answer, err := c.Recovery.Decide(context.Background(), &v1.DecideRequest{
		Policy: &v1.PolicyChoice{ReplaySafe: true}, RetriesUsed: 0,
		Envelope: &v1.EvidenceEnvelope{AgentKind: "claude", Signals: []*v1.Signal{
			{Channel: &v1.Signal_Stdout{Stdout: &v1.TextSignal{Text: "API Error: 529 Overloaded"}}},
			{Channel: &v1.Signal_ProcessExit{ProcessExit: &v1.ProcessExitSignal{ExitCode: &exit}}},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Classification.Code, answer.Decision.Action, answer.Decision.RetryAt.AsTime())
}
