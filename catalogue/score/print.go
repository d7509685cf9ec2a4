package score

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Print writes the board; with details it lists every wrong case.
func (b *Board) Print(w io.Writer, details bool) {
	fmt.Fprintf(w, "right code    %s\n", line(b.Code))
	fmt.Fprintf(w, "right class   %s\n", line(b.Class))
	fmt.Fprintf(w, "right hint    %s\n", line(b.Hint))
	fmt.Fprintf(w, "false actions %d\n", len(b.FalseActions))
	fmt.Fprintf(w, "left out      %d of unsure label, %d excepted\n", b.Low, b.Excepted)
	for _, part := range []struct {
		name string
		by   map[string]*Tally
	}{{"code", b.ByCode}, {"agent", b.ByAgent}, {"channel", b.ByChannel}} {
		fmt.Fprintf(w, "\nby %s\n", part.name)
		for _, key := range slices.Sorted(maps.Keys(part.by)) {
			fmt.Fprintf(w, "  %-34s %s\n", named(key), line(*part.by[key]))
		}
	}
	for _, id := range b.FalseActions {
		fmt.Fprintf(w, "false action: %s\n", id)
	}
	if !details {
		return
	}
	fmt.Fprintln(w)
	for _, x := range b.Wrong {
		fmt.Fprintf(w, "%s: want %s, got %s by %q\n    %.300q\n", x.ID, x.Want, x.Got, x.Rule, x.Detail)
	}
}

// named gives the group of what has no name a name of its own.
func named(key string) string {
	if key == "" {
		return "(none)"
	}
	return key
}

func line(t Tally) string { return fmt.Sprintf("%5d of %5d  %6.2f %%", t.Right, t.Total, t.Percent()) }

// Passes reports whether the board reaches the project's marks, and why not.
func (b *Board) Passes() error {
	switch {
	case b.Code.Percent() < 97:
		return fmt.Errorf("right code %.2f %% is below 97 %%", b.Code.Percent())
	case b.Class.Percent() < 98:
		return fmt.Errorf("right class %.2f %% is below 98 %%", b.Class.Percent())
	case b.Hint.Percent() < 97:
		return fmt.Errorf("right hint %.2f %% is below 97 %%", b.Hint.Percent())
	case len(b.FalseActions) > 0:
		return fmt.Errorf("%d false actions: %v", len(b.FalseActions), b.FalseActions)
	}
	return nil
}
