package ldfitest

import (
	"net"
	"testing"

	"github.com/lineage-driven/ldfi/internal/hosting"
	engine "github.com/lineage-driven/ldfi/internal/search"
)

// serve lets ldfi, which started the test, search the system as the test would: who asks
// ldfi can say otherwise.
func (c *check) serve(t *testing.T, door string) {
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
	if err := hosting.Serve(conn, conn, &asks, &served); err != nil {
		t.Fatalf("serving the system %q to ldfi: %v", c.system.Name, err)
	}
}
