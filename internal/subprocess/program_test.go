//go:build unix

package subprocess_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/stretchr/testify/require"
)

// Programs that are written and started by several goroutines of one process.
func TestUnforked(t *testing.T) {
	dir := t.TempDir()
	script := []byte("#!/bin/sh\nexit 7\n")
	var all sync.WaitGroup
	errs := make(chan error, 400)
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				name := filepath.Join(dir, fmt.Sprint(i, "-", j))
				err := subprocess.Unforked(func() error { return os.WriteFile(name, script, 0o700) })
				if err == nil {
					err = exec.Command(name).Run()
				}
				errs <- err
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		var exited *exec.ExitError
		require.ErrorAs(t, err, &exited)
		require.Equal(t, 7, exited.ExitCode())
	}
}
