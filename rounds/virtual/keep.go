package virtual

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing/synctest"

	"github.com/lineage-driven/ldfi/internal/files"
)

// belongings are what a process has from its machines, across crashes, until the
// execution is over.
type belongings struct {
	mutex sync.Mutex
	kept  map[string]any
	dir   string // "": it has none
	wrong error  // why it could not have one
}

// Keep returns the value for key, which stands in memory for what a server keeps on a
// disk. The first call for key on a machine of this process calls make for the value.
// The value outlives crashes, but not the execution.
//
// If the value has a method Copy or Clone without arguments that returns its own type,
// what the server does after a crash has no effect: the crash copies the value before
// it stops the server, and the restart gets the copy. Without such a method Stop must
// not change the value.
func (m *Machine) Keep(key string, make func() any) any {
	b := m.belongings
	b.mutex.Lock()
	value, ok := b.kept[key]
	b.mutex.Unlock()
	if ok {
		return value
	}
	value = make()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if before, ok := b.kept[key]; ok {
		return before
	}
	if b.kept == nil {
		b.kept = map[string]any{}
	}
	b.kept[key] = value
	return value
}

// Dir returns the path of a directory of the operating system for the machine. It is
// empty at the start of each execution. After a restart it has everything that was
// written before the crash, synced or not. (A Machine.Disk can lose what was not
// synced.) It is removed at the end of the execution, or, if the program is killed
// before, by the next program that calls Dir.
func (m *Machine) Dir() string {
	b := m.belongings
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.dir == "" && b.wrong == nil {
		b.dir, b.wrong = directories.enter(m.name)
	}
	if b.wrong != nil {
		runtime.Goexit() // it is no mistake of the server, and the execution ends with it
	}
	return b.dir
}

// crash fixes what a restart finds of what the server keeps: it may do more with it until
// it has stopped. It returns what puts that back.
func (p *process) crash() (restore func()) {
	b := p.belongings
	copies := map[string]any{}
	p.bubble.Do(func() {
		p.server.goes(func() {
			for key, value := range b.kept {
				if c, ok := copyOf(value); ok {
					copies[key] = c
				}
			}
		})
		synctest.Wait()
	})
	saved := ""
	if b.dir != "" && b.wrong == nil {
		saved = b.dir + ".crash"
		b.wrong = wrongDir(p.name, os.CopyFS(saved, os.DirFS(b.dir)))
	}
	return func() {
		for key, c := range copies {
			b.kept[key] = c
		}
		if saved != "" && b.wrong == nil {
			err := directories.empty(b.dir)
			if err == nil {
				err = os.Rename(saved, b.dir)
			}
			b.wrong = wrongDir(p.name, err)
		}
	}
}

// copyOf returns a copy of a value that can make one of itself.
func copyOf(value any) (any, bool) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, false
	}
	for _, name := range []string{"Copy", "Clone"} {
		m := v.MethodByName(name)
		if m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 && m.Type().Out(0) == v.Type() {
			return m.Call(nil)[0].Interface(), true
		}
	}
	return nil, false
}

func wrongDir(process string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the directory of machine %s (Machine.Dir): %w", process, err)
}

// release removes what a process has, at the end of the execution.
func (b *belongings) release() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.dir != "" {
		directories.leave(b.dir)
		b.dir = ""
	}
	b.kept = nil
}

// directories has those of all machines of the program, in one that is there while any
// of them has one. It has the same name in all executions: servers tell it.
var directories machineDirs

type machineDirs struct {
	mutex sync.Mutex
	all   *files.Scratch
	users int
}

// enter makes an empty directory for a machine.
func (d *machineDirs) enter(name string) (dir string, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch {
	case d.all == nil:
		d.all, err = files.NewScratch("", "ldfi-machines-")
	case d.users == 0:
		err = d.all.Again()
	}
	if err != nil {
		return "", wrongDir(name, err)
	}
	path := fileName(name)
	if err := d.all.Rmdir(path); err != nil { // of an execution that never came to its end
		return "", wrongDir(name, err)
	}
	if dir, err = d.all.Mkdir(path); err != nil {
		return "", wrongDir(name, err)
	}
	d.users++
	return dir, nil
}

func (d *machineDirs) empty(dir string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.all.Rmdir(filepath.Base(dir))
}

// leave removes the directory of a machine, and with the last that of all.
func (d *machineDirs) leave(dir string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	err := d.all.Rmdir(filepath.Base(dir))
	if d.users--; d.users == 0 {
		err = d.all.Remove()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ldfi: removing the directory of a machine: %v\n", err)
	}
}

// fileName is the name of a directory for a process of any name, another for each.
func fileName(process string) string {
	for _, c := range process {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return fmt.Sprintf("machine-%x", process)
		}
	}
	return "machine-" + process + "-"
}
