package hunt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// Question says what is to be hunted.
type Question struct {
	Dir     string   // where the go command is run; "": the working directory
	Package string   // with the tests, as the go command has it
	Run     string   // a regular expression for the names of the tests
	Args    []string // further arguments of the tests
	With    []string // files and directories of the module that the tests read, beside testdata of the package
	Seeds   Seeds
}

// Packed is a question with its tests, built for this platform.
type Packed struct {
	Question
	Platform string
	where    string            // the directory of the package in the module
	files    map[string]string // of the units: the digest of what is in each
	paths    map[string]string // where these are, by digest
}

// Pack builds the tests into a directory, and looks up what they read.
func (q Question) Pack(ctx context.Context, dir string) (*Packed, error) {
	if _, err := regexp.Compile(q.Run); err != nil {
		return nil, fmt.Errorf("which tests to run: %w", err)
	}
	var listed struct {
		Dir    string
		Module *struct{ Dir string }
	}
	if text, err := q.command(ctx, "list", "-json=Dir,Module", q.Package); err != nil {
		return nil, err
	} else if err := json.Unmarshal(text, &listed); err != nil || listed.Module == nil {
		return nil, fmt.Errorf("%s is no single package of a module", q.Package)
	}
	platform, err := q.command(ctx, "env", "GOOS", "GOARCH")
	if err != nil {
		return nil, err
	}
	where, err := filepath.Rel(listed.Module.Dir, listed.Dir)
	if err != nil {
		return nil, err
	}
	p := &Packed{Question: q, Platform: strings.Join(strings.Fields(string(platform)), "/"), where: filepath.ToSlash(where), files: map[string]string{}, paths: map[string]string{}}
	built := filepath.Join(dir, program)
	if _, err := q.command(ctx, "test", "-c", "-o", built, q.Package); err != nil {
		return nil, err
	}
	if err := flags(ctx, built); err != nil {
		return nil, fmt.Errorf("the tests of %s: %w", q.Package, err)
	}
	if err := p.add(program, built); err != nil {
		return nil, err
	}
	if err := p.addTree(listed.Module.Dir, path.Join(p.where, "testdata"), true); err != nil {
		return nil, err
	}
	for _, more := range q.With {
		if err := p.addTree(listed.Module.Dir, path.Clean(filepath.ToSlash(more)), false); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// command runs the go command, and returns what it writes.
func (q Question) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	var wrong bytes.Buffer
	cmd.Dir, cmd.Stderr = q.Dir, &wrong
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(wrong.String()))
	}
	return text, nil
}

// flags reports flags that tests lack for a hunt.
func flags(ctx context.Context, built string) error {
	text, err := exec.CommandContext(ctx, built, "-h").CombinedOutput()
	if exited := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exited) { // help is no success
		return fmt.Errorf("they were built for another platform, or cannot be started: %w", err)
	}
	for _, name := range []string{"long", "seed"} {
		if !regexp.MustCompile(`(?m)^  -` + name + ` u?int`).Match(text) {
			return fmt.Errorf("they have no flag -%s with a number: a hunt gives each machine other seeds, by -long (how many) and -seed (the first)", name)
		}
	}
	return nil
}

// addTree adds the files of a directory, or a file, of the module.
func (p *Packed) addTree(root, name string, optional bool) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s lies outside of the module", name)
	}
	err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(name)), func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		return p.add(path.Join(module, filepath.ToSlash(rel)), at)
	})
	if optional && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// mostFile is how large a file may be that tests need, in bytes.
const mostFile = 256 << 20

func (p *Packed) add(name, at string) error {
	content, err := files.Read(at, mostFile)
	if err != nil {
		return err
	}
	digest := unit.Digest(content)
	p.files[name], p.paths[digest] = digest, at
	return nil
}

// Content returns what is in a file, by its digest.
func (p *Packed) Content(digest string) ([]byte, error) {
	at, ok := p.paths[digest]
	if !ok {
		return nil, fmt.Errorf("the tests have no file with the digest %s", digest)
	}
	return files.Read(at, mostFile)
}

// unit returns the unit with some seeds.
func (p *Packed) unit(build string, s Seeds) (*unit.Unit, error) {
	ask, err := json.Marshal(Ask{Package: p.where, Run: p.Run, Seeds: s, Args: p.Args})
	if err != nil {
		return nil, err
	}
	return &unit.Unit{Kind: unit.Hunt, Build: build, Platform: p.Platform, Files: p.files, Ask: ask}, nil
}
