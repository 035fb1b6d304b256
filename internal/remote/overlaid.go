package remote

import (
	"context"
	"fmt"
	"os/exec"
	"sync"

	"github.com/lineage-driven/ldfi/internal/gobuild"
)

// overlaid lets go build a host that has servers with goroutines in such a way that
// their executions are exactly repeatable. Why it cannot is said once.
func overlaid(ctx context.Context, cmd *exec.Cmd, o Options) {
	host := gobuild.ForHost(ctx, cmd.Args, o.Dir, cmd.Environ())
	if lost := host.String(); lost != "" && o.Stderr != nil {
		if _, before := told.LoadOrStore(lost, true); !before {
			fmt.Fprintln(o.Stderr, "ldfi: "+lost)
		}
	}
	if host.Ready == nil {
		return
	}
	cmd.Env = host.Ready.Environment(cmd.Environ())
	if own := host.Ready.Command(); own != "" {
		cmd.Path = own
	}
}

// told is what was said already in this run.
var told sync.Map
