package bisect

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Repository is a git repository, seen from a directory in its checkout. Reading it changes
// nothing in it: versions are checked out elsewhere, through an index of their own, so that
// the checkout and the data of git are never touched.
type Repository struct {
	top    string // of the checkout
	prefix string // from there to the directory
}

// OpenRepository returns the repository that has the directory ("": the working
// directory) in its checkout.
func OpenRepository(ctx context.Context, dir string) (*Repository, error) {
	top, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("revisions are searched from within a checkout: %w", err)
	}
	prefix, err := git(ctx, dir, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	return &Repository{top: top, prefix: prefix}, nil
}

// Range returns the commit A of a range "A..B", and the commits after it up to B, oldest
// first, along first parents: a merge is one change.
func (r *Repository) Range(ctx context.Context, text string) ([]Commit, error) {
	from, to, ok := strings.Cut(text, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return nil, fmt.Errorf("%q is no range of revisions, which is A..B: A and what comes after it, up to B", text)
	}
	if to == "" {
		to = "HEAD"
	}
	first, err := r.commit(ctx, from)
	if err != nil {
		return nil, err
	}
	last, err := r.commit(ctx, to)
	if err != nil {
		return nil, err
	}
	text, err = git(ctx, r.top, nil, "log", "--first-parent", "--reverse", "--no-show-signature", "--format="+commitFormat, first.id+".."+last.id)
	if err != nil {
		return nil, err
	}
	commits := []Commit{first}
	for line := range strings.Lines(text) {
		commits = append(commits, parseCommit(line))
	}
	if len(commits) == 1 {
		return nil, fmt.Errorf("no commit comes after %s on the way to %s", from, to)
	}
	return commits, nil
}

// Named returns the commits of the revisions, which keep their names.
func (r *Repository) Named(ctx context.Context, revisions []string) ([]Commit, error) {
	var commits []Commit
	for _, name := range revisions {
		c, err := r.commit(ctx, name)
		if err != nil {
			return nil, err
		}
		c.note = c.name + " " + c.note
		c.name = name
		if i := slices.IndexFunc(commits, func(o Commit) bool { return o.id == c.id }); i >= 0 {
			return nil, fmt.Errorf("%s and %s are one commit: bisect compares versions that differ", commits[i].name, name)
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// Commit is a commit of a repository.
type Commit struct{ id, name, note string }

const commitFormat = "%H%x00%h%x00%s"

func parseCommit(line string) Commit {
	fields := strings.SplitN(strings.TrimRight(line, "\n"), "\x00", 3)
	fields = append(fields, "", "")
	return Commit{id: fields[0], name: fields[1], note: fields[2]}
}

func (r *Repository) commit(ctx context.Context, revision string) (Commit, error) {
	if strings.HasPrefix(revision, "-") {
		return Commit{}, fmt.Errorf("%q is no revision", revision)
	}
	id, err := git(ctx, r.top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return Commit{}, fmt.Errorf("there is no revision %q: %w", revision, err)
	}
	line, err := git(ctx, r.top, nil, "log", "-1", "--no-show-signature", "--format="+commitFormat, id)
	return parseCommit(line), err
}

// Revisions returns commits as versions of a protocol in some files, or of a system. Files
// are relative to the directory of the repository, and the command is run there.
func (r *Repository) Revisions(commits []Commit, files []string, system string) ([]Version, error) {
	inside := make([]string, len(files))
	for i, file := range files {
		var err error
		if inside[i], err = r.inside(file); err != nil {
			return nil, err
		}
	}
	var versions []Version
	for _, c := range commits {
		at := &home{first: []string{"git", "checkout", c.name}, files: files, system: system}
		versions = append(versions, Version{Name: c.name, Note: c.note, system: system != "", home: at, prepare: func(ctx context.Context, scratch string) (*place, error) {
			return r.prepare(ctx, c, inside, system, scratch)
		}})
	}
	return versions, nil
}

// inside returns the name of a file from the top of the checkout.
func (r *Repository) inside(file string) (string, error) {
	path := filepath.Join(r.top, r.prefix, file)
	if filepath.IsAbs(file) {
		path = file
		if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
			path = filepath.Join(dir, filepath.Base(file))
		}
	}
	name, err := filepath.Rel(r.top, path)
	if err != nil || !filepath.IsLocal(name) {
		return "", fmt.Errorf("%s lies outside the repository %s", file, r.top)
	}
	return name, nil
}

// prepare checks a commit out and builds its program.
func (r *Repository) prepare(ctx context.Context, c Commit, files []string, system, scratch string) (*place, error) {
	tree := filepath.Join(scratch, "tree")
	if err := r.checkout(ctx, c.id, tree, filepath.Join(scratch, "index")); err != nil {
		return nil, err
	}
	if system == "" {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(tree, file)); err != nil {
				return nil, fmt.Errorf("there is no %s in it", file)
			}
		}
		return &place{dir: tree, files: files, brief: true}, nil
	}
	dir := filepath.Join(tree, r.prefix)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no directory %s in it", r.prefix)
	}
	return built(ctx, build{dir: dir, command: system, out: scratch, key: r.key(c, system)})
}

// key returns the key of a command in a commit, which includes the directory where it is
// run. It is empty if the command names a file elsewhere, which may change.
func (r *Repository) key(c Commit, command string) string {
	words, err := text.ShellSplit(command)
	if err != nil || slices.ContainsFunc(words, filepath.IsAbs) {
		return ""
	}
	return strings.Join(append([]string{c.id, r.prefix}, words...), "\x00")
}

// checkout writes all files of a commit below a directory, by way of an index
// file of its own.
func (r *Repository) checkout(ctx context.Context, id, dir, index string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	environment := []string{"GIT_INDEX_FILE=" + index}
	if _, err := git(ctx, r.top, environment, "read-tree", id); err != nil {
		return err
	}
	_, err := git(ctx, r.top, environment, "checkout-index", "--all", "--quiet", "--prefix="+dir+string(filepath.Separator))
	return err
}

// git runs git in a directory and returns its output, without the last line end. It does
// not write to the repository, nor run hooks.
func git(ctx context.Context, dir string, environment []string, args ...string) (string, error) {
	fixed := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.sparseCheckout=false"}
	cmd := exec.CommandContext(ctx, "git", append(fixed, args...)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"), environment...)
	text, err := gobuild.Output(ctx, cmd, strings.TrimSpace)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSuffix(text, "\n"), err
}
