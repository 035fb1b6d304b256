package ldfitest

import (
	"net"
	"testing"

	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

// serve lets ldfi, which started the test, search the system, within the bounds that the
// test would search: who asks ldfi can say others.
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
	if err := wire.ServeOn(conn, conn, &served); err != nil {
		t.Fatalf("serving the system %q to ldfi: %v", c.system.Name, err)
	}
}
