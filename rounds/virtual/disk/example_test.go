package disk_test

import (
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// What was written is durable after Sync, the name of a new file only after SyncDir.
func Example() {
	d := disk.New()
	whole, _ := d.Create("whole")
	_, _ = io.WriteString(whole, "hello")
	_ = whole.Sync()
	empty, _ := d.Create("empty")
	_, _ = io.WriteString(empty, "not synced")
	_ = d.SyncDir("/")
	forgotten, _ := d.Create("forgotten")
	_, _ = io.WriteString(forgotten, "its name is not durable")
	_ = forgotten.Sync()

	d, _ = d.Crash(disk.Lost, nil)
	entries, _ := d.ReadDir("/")
	for _, e := range entries {
		info, _ := e.Info()
		fmt.Println(e.Name(), info.Size())
	}
	// Output:
	// empty 0
	// whole 5
}
