package ldfitest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// needed says what a test may need the overlay for, and how to run it with the overlay: ""
// if it has no servers, or was built with the overlay.
func needed(s *system.System, command string) string {
	if !result.NeedsOverlay(engine.Describe(s).Inexact) {
		return ""
	}
	return "go test alone cannot run net.Listen, net.Dial, http.Client, os.Exit, signals and panics in goroutines of a server; this command can: " + strings.Replace(command, "go test", "ldfi test", 1)
}

// explained makes a sentence follow the output of the Go runtime if the program ends before
// the returned function is called. The program itself cannot do so: a shell waits for the
// end of its input, and writes the sentence. On a machine without a shell, nothing follows.
func explained(s *system.System, needed string) (over func()) {
	if needed == "" {
		return func() {}
	}
	text := fmt.Sprintf("ldfi: the program ended while the system %q was searched; if a server of it did that: %s", s.Name, needed)
	c := exec.Command("/bin/sh", "-c", `read -r _ || printf '%s\n' "$0" >&2`, text)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return func() {}
	}
	return func() {
		_, _ = fmt.Fprintln(in)
		_ = c.Wait()
	}
}
