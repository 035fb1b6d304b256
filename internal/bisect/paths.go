package bisect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Paths returns files and directories as versions. A file is a protocol. A directory is a
// protocol as well: its *.ded files, or the given files relative to it, are one program.
// With a command a directory is a system: the command is run in the directory.
func Paths(paths, files []string, system string) ([]Version, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var versions []Version
	names := ShortNames(paths)
	for i, path := range paths {
		name := names[i]
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		switch {
		case !info.IsDir() && (system != "" || len(files) > 0):
			return nil, fmt.Errorf("%s is a file, but versions of a system, or of several files, are directories", path)
		case !info.IsDir():
			versions = append(versions, Version{Name: name, home: &home{files: []string{path}}, prepare: func(context.Context, string) (*place, error) {
				return &place{files: []string{path}}, nil
			}})
		case system != "":
			versions = append(versions, Version{Name: name, system: true, home: &home{dir: path, system: system}, prepare: func(ctx context.Context, scratch string) (*place, error) {
				return built(ctx, build{dir: path, command: system, out: scratch})
			}})
		default:
			versions = append(versions, directoryVersion(name, path, files))
		}
	}
	return versions, nil
}

// ShortNames returns paths without the directories that all of them begin with.
func ShortNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.ToSlash(filepath.Clean(path))
	}
	for {
		first, _, found := strings.Cut(names[0], "/")
		for _, name := range names {
			found = found && strings.HasPrefix(name, first+"/")
		}
		if !found {
			return names
		}
		for i := range names {
			names[i] = names[i][len(first)+1:]
		}
	}
}

// Commands returns systems as versions: each is a command, with a name, that is run in the
// working directory.
func Commands(names, commands []string) []Version {
	versions := Made(names, commands)
	for i, command := range commands {
		versions[i].home = &home{system: command}
	}
	return versions
}

// Made returns versions as Commands does that are only made for the search: there is no
// command with which a user executes a schedule of them again.
func Made(names, commands []string) (versions []Version) {
	for i, command := range commands {
		versions = append(versions, Version{Name: names[i], system: true, prepare: func(ctx context.Context, scratch string) (*place, error) {
			return built(ctx, build{command: command, out: scratch})
		}})
	}
	return versions
}

func directoryVersion(name, dir string, files []string) Version {
	return Version{Name: name, home: &home{dir: dir}, prepare: func(context.Context, string) (*place, error) {
		if len(files) > 0 {
			return &place{dir: dir, files: files}, nil
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		p := &place{dir: dir}
		for _, e := range entries {
			if filepath.Ext(e.Name()) == ".ded" && !e.IsDir() {
				p.files = append(p.files, e.Name())
			}
		}
		if len(p.files) == 0 {
			return nil, fmt.Errorf("there is no *.ded file in %s", dir)
		}
		return p, nil
	}}
}
