package main

import (
	"errors"
	"runtime"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/slot"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/worker"
)

// makeSlots makes the slots of a worker, which share the cores of the machine. They are to
// be closed.
func (f *workerFlags) makeSlots(program ldfi) (all []worker.Slot, err error) {
	for range f.slots {
		one, err := slot.New(slot.Options{
			Ldfi: program.Path, Build: program.Build, Hosts: f.hosts,
			Memory: uint64(f.memory), Time: f.time, Cores: max(1, runtime.NumCPU()/f.slots),
		})
		if err != nil {
			return nil, errors.Join(err, closeSlots(all))
		}
		all = append(all, one)
	}
	return all, nil
}

// closeSlots ends what slots do, and removes their directories.
func closeSlots(all []worker.Slot) (err error) {
	for _, one := range all {
		err = errors.Join(err, one.Close())
	}
	return err
}
