package bisect

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"runtime/debug"
)

// checkLinked refuses programs none of which was built with this version of the module, or
// one with another version.
func (f *found) checkLinked(programs ...string) (err error) {
	var uses bool
	for _, program := range programs {
		info, failed := buildinfo.ReadFile(program)
		if failed != nil {
			return fmt.Errorf("reading what the program was built with: %w", failed)
		}
		var unused *unusedError
		switch is := f.among(info.Deps); {
		case is == nil:
			uses = true
		case errors.As(is, &unused):
			err = is
		default:
			return is
		}
	}
	if uses {
		return nil
	}
	return err
}

// unusedError says that a program does not use the module.
type unusedError struct{ module string }

func (e *unusedError) Error() string {
	return "the program does not use the module " + e.module
}

// among reports an error unless the modules of a program include this version of the
// module.
func (f *found) among(modules []*debug.Module) error {
	for _, m := range modules {
		if m.Path != f.module {
			continue
		}
		if built := replacement(m); built.Path != f.path() || f.dir == "" && built.Version != f.version {
			return fmt.Errorf("the program was built with %s %s, and not with %s %s", built.Path, built.Version, f.path(), f.version)
		}
		return nil
	}
	return &unusedError{f.module}
}

// path is where the module comes from.
func (f *found) path() string {
	if f.dir != "" {
		return f.dir
	}
	return f.module
}

// replacement returns the module from which a module was built.
func replacement(m *debug.Module) *debug.Module {
	if m.Replace != nil {
		return m.Replace
	}
	return m
}
