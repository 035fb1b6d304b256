package ldfitest

import (
	"net"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/wire"
)

// serve lets ldfi, which started the test, search the system.
func (c *check) serve(t *testing.T, door string) {
	t.Helper()
	conn, err := net.Dial("unix", door)
	if err != nil {
		t.Skipf("ldfi searches the system that the tests ran first, and not %q", c.system.Name)
	}
	defer conn.Close()
	served := *c.system
	served.Rounds, served.Faults = c.options.Bounds.EOT, c.options.Bounds
	if err := wire.ServeOn(conn, conn, &served); err != nil {
		t.Fatalf("serving the system %q to ldfi: %v", c.system.Name, err)
	}
}
