package ldfitest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// probing, in the environment of a test program, is the name of the system that it executes
// before it ends.
const probing = "LDFI_PROBE"

// The lines that a program writes before and after that.
const (
	probeBegins = "ldfi: the probe begins"
	probeEnds   = "ldfi: the probe ends"
)

// probePatience is how long a probe may take. What takes longer has not ended the program.
const probePatience = 5 * time.Second

// probe executes the system twice, without faults, in a process of its own. It returns what
// the process said if that ended the process: a server that was built without the overlay
// may do so by net.Listen alone, and the tests that follow would not run.
func probe(t *testing.T, s *system.System) (said string) {
	ctx, cancel := context.WithTimeout(t.Context(), probePatience)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], slices.Concat([]string{"-test.paniconexit0", "-test.run=" + exactly(t.Name())}, ownFlags(flag.CommandLine))...)
	c.Env = append(os.Environ(), probing+"="+s.Name)
	out, err := c.CombinedOutput()
	_, rest, begun := bytes.Cut(out, []byte(probeBegins+"\n"))
	if !begun || bytes.Contains(rest, []byte(probeEnds)) || err == nil || ctx.Err() != nil {
		return ""
	}
	for line := range strings.Lines(string(rest)) {
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
			return strings.TrimSpace(line)
		}
	}
	return err.Error()
}

// probed executes the system, if this process is to do that, and ends the process. It
// tells whether this process is for another system.
func probed(t *testing.T, s *system.System) (other bool) {
	name := os.Getenv(probing)
	if name != s.Name {
		return name != ""
	}
	fmt.Println(probeBegins)
	for range 2 { // some of the runtime's objections are to what another execution has made
		_, _ = s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
	}
	fmt.Println(probeEnds)
	os.Exit(0)
	return true
}
