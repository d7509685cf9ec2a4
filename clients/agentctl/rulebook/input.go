package rulebook

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
)

// maxInput bounds one failure's text in bytes; more loses its end.
const maxInput = 16 << 20

// Open is a file, or standard input for "" and for "-".
func Open(inv *cli.Invocation, name string) (io.Reader, func(), error) {
	if name == "" || name == "-" {
		if inv.InTTY && name == "" {
			return nil, nil, cli.Failf(cli.Usage, "give a file, or pipe what the agent printed into this command")
		}
		return inv.In, func() {}, nil
	}
	f, err := os.Open(Path(inv, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, cli.Failf(cli.NotFound, "no such file: %s", name)
	}
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}

// ReadText reads one failure's text; that there is none is an error.
func ReadText(inv *cli.Invocation, name string) ([]byte, error) {
	in, closeInput, err := Open(inv, name)
	if err != nil {
		return nil, err
	}
	defer closeInput()
	text, err := io.ReadAll(io.LimitReader(in, maxInput))
	if err != nil {
		return nil, err
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil, cli.Failf(cli.Usage, "there is nothing to classify: give a file, or pipe what the agent printed")
	}
	return text, nil
}
