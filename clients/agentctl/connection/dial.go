package connection

import (
	"context"
	"time"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// API is a server's API under one credential. Its errors are *fault.Error.
type API struct {
	*client.Client
	// WorkspaceID is the configured workspace, or the token's own once Check
	// has passed.
	WorkspaceID string
	// Info is what the server says about itself, once Check has passed.
	Info *v1.GetServerInfoResponse
	// Ahead is the server's clock minus this host's, once Check has passed.
	Ahead time.Duration
}

// Dial prepares the API of the configured server; nothing is sent yet.
func Dial(c Config, version string) (*API, error) {
	api, err := client.New(c.Server.Value, c.Token.Value, client.WithUserAgent("agentctl/"+version))
	if err != nil {
		return nil, err
	}
	return &API{Client: api, WorkspaceID: c.Workspace.Value}, nil
}

// Check asks whether the server is there and accepts the credential.
func (a *API) Check(ctx context.Context) error {
	began := time.Now()
	info, err := a.Workspace.GetServerInfo(ctx, &v1.GetServerInfoRequest{})
	if err != nil {
		return err
	}
	// The server read its clock somewhere between question and answer.
	middle := began.Add(time.Since(began) / 2)
	a.Info, a.Ahead = info, info.GetServerTime().AsTime().Sub(middle)
	caller, err := a.Workspace.GetCaller(ctx, &v1.GetCallerRequest{})
	if err != nil {
		return err
	}
	if a.WorkspaceID == "" {
		a.WorkspaceID = caller.GetWorkspaceId()
	}
	return nil
}
