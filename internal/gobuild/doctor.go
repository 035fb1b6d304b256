package gobuild

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Check is one of the things that exactly repeatable executions need.
type Check struct {
	Name   string `json:"name"`             // what is looked at
	OK     bool   `json:"ok"`               // nothing is in the way
	Text   string `json:"text"`             // what was found
	Advice string `json:"advice,omitempty"` // what to do, if it is not
}

// Diagnosis says whether executions of goroutines are exactly repeatable.
type Diagnosis struct {
	Exact  bool    `json:"exact"`        // as far as was looked
	Tried  bool    `json:"tried"`        // a program was executed
	Go     string  `json:"go,omitempty"` // the version of Go that is used here
	Checks []Check `json:"checks"`       // what was looked at, in order
}

func (d *Diagnosis) add(name string, err error, text, advice string) bool {
	c := Check{Name: name, OK: err == nil, Text: text}
	if err != nil {
		c.Text, c.Advice, d.Exact = err.Error(), advice, false
	}
	d.Checks = append(d.Checks, c)
	return c.OK
}

// Diagnose looks at the Go of a folder, and if try is set builds a program with the
// overlay and executes it.
func Diagnose(ctx context.Context, folder string, try bool) (*Diagnosis, error) {
	d := &Diagnosis{Exact: true, Checks: []Check{}}
	g, err := Installed(ctx, "go", folder, nil)
	if !d.add("go", err, g.Version+" in "+g.Root, "install Go 1.26 or 1.27 from https://go.dev/dl, and let the go command be found in PATH") {
		return d, ctx.Err()
	}
	d.Go = g.Version
	if !d.add("release", g.known(), fmt.Sprintf("there is a table of %s for %s", text.Plural(len(Edits(g.Release())), "edit"), g.Release()),
		"select such a Go, by a line `toolchain go1.26.8` in go.mod or by GOTOOLCHAIN=go1.26.8") {
		return d, ctx.Err()
	}
	ready, err := g.Prepare()
	if !d.add("overlay", err, ready.List, "see above; the cache of the user ($XDG_CACHE_HOME) must be writable") {
		return d, ctx.Err()
	}
	d.add("toolchain", nil, toolchain(ready), "")
	d.add("GOFLAGS", nil, flags(g), "")
	if try {
		d.Tried = true
		d.add("execution", ready.try(ctx), fmt.Sprintf("%d executions of a program with goroutines, in 2 processes at the same time, for each of %d orders of goroutines, were equal",
			2*tries, len(orders)), "report this at https://github.com/lineage-driven/ldfi/issues, with the output of `go env`")
	}
	return d, ctx.Err()
}

// What the program is executed with.
const tries = 5

var orders = []uint64{0, 1}

// try builds the program and executes it.
func (r Ready) try(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "ldfi-doctor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	p, err := r.Build(ctx, folder)
	if err != nil {
		return err
	}
	for _, order := range orders {
		ways, err := p.Execute(ctx, 2, tries, 7, order)
		if err != nil {
			return err
		}
		if len(ways) > 1 {
			return fmt.Errorf("%d executions of a program with goroutines went %d ways", 2*tries, len(ways))
		}
	}
	return nil
}

func toolchain(r Ready) string {
	if len(r.Environ) > 0 {
		return "lies below the module cache, where no flag can replace a file: use ldfi test, or `eval \"$(ldfi overlay --env)\"` before go test; run, check and bisect see to it"
	}
	return "ldfi test works, and so does go test $(ldfi overlay); run, check and bisect use the overlay by themselves"
}

func flags(g Installation) string {
	said := []string{"has no overlay"}
	if theirs := g.overlaid(); theirs != "" {
		said = []string{"has the overlay " + theirs + ", and both are used"}
		if strings.Contains(theirs, "ldfi") {
			said = []string{"has an overlay of ldfi: go test uses it"}
		}
	}
	if runtime.GOOS != "linux" {
		said = append(said, "ldfi's own tests of the overlay run on linux only, and this is "+runtime.GOOS)
	}
	return strings.Join(said, "; ")
}
