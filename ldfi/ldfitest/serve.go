package ldfitest

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/hosting"
	"github.com/lineage-driven/ldfi/internal/messages"
	engine "github.com/lineage-driven/ldfi/internal/search"
)

// serve lets ldfi, which started the test, search the system as the test would, unless the
// request says otherwise. It passes on the directory in which schedules are kept.
func (c *check) serve(t *testing.T, door, dir string) {
	t.Helper()
	conn, err := net.Dial("unix", door)
	if err != nil {
		t.Skipf("ldfi searches the system that the tests ran first, and not %q", c.system.Name)
	}
	defer conn.Close()
	served := *c.system
	d := engine.Describe(c.system)
	served.Rounds, served.Faults = c.options.Bounds.EOT, d.DefaultBounds(c.options.Bounds)
	asks := engine.Options{Strategy: c.options.Strategy, Seed: c.options.Seed, Executions: c.options.Executions, Settings: c.options.Settings, GoroutineOrders: c.options.GoroutineOrders}
	here, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	test := messages.Test{Asks: &asks, Kept: here}
	if c.options.Guide != nil {
		test.Guided = c.options.Guide.Name()
	}
	if err := hosting.Serve(conn, conn, test, &served); err != nil {
		t.Fatalf("serving the system %q to ldfi: %v", c.system.Name, err)
	}
}
