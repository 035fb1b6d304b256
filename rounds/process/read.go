package process

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	yaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// clusterFile is what a file says of a cluster.
type clusterFile struct {
	Servers    []programFile     `yaml:"servers"`
	Clients    []programFile     `yaml:"clients"`
	Checker    *programFile      `yaml:"checker"`
	Last       *uint32           `yaml:"last"`
	Files      map[string]string `yaml:"files"`
	Requests   string            `yaml:"requests"`
	Tick       durationFile      `yaml:"tick"`
	Apart      *uint32           `yaml:"apart"`
	Calls      uint32            `yaml:"calls"`
	Epoch      string            `yaml:"epoch"`
	Bounds     map[string]oneOf  `yaml:"bounds"`
	Properties []string          `yaml:"properties"`
}

// programFile is what a file says of a program.
type programFile struct {
	Name    string            `yaml:"name"`
	Build   string            `yaml:"build"`
	Nodes   *int              `yaml:"nodes"`
	Args    wordsFile         `yaml:"args"`
	Env     map[string]oneOf  `yaml:"env"`
	Files   map[string]string `yaml:"files"`
	Ports   map[string]int    `yaml:"ports"`
	Polls   []string          `yaml:"polls"`
	Restart durationFile      `yaml:"restart"`
}

// wordsFile is a list of words, or a text that is split as a shell does.
type wordsFile []string

func (w *wordsFile) UnmarshalYAML(unmarshal func(any) error) error {
	var list []oneOf
	if unmarshal(&list) == nil {
		for _, word := range list {
			*w = append(*w, string(word))
		}
		return nil
	}
	var line string
	if err := unmarshal(&line); err != nil {
		return errors.New("expected a list of words, or a text")
	}
	words, err := text.ShellSplit(line)
	*w = words
	return err
}

// oneOf is a text, a number or a truth value, as it is written; or a list of these, with
// commas.
type oneOf string

func (o *oneOf) UnmarshalYAML(unmarshal func(any) error) error {
	var value any
	if err := unmarshal(&value); err != nil {
		return err
	}
	switch v := value.(type) {
	case string, int64, uint64, int, float64, bool:
		*o = oneOf(fmt.Sprint(v))
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, fmt.Sprint(one))
		}
		*o = oneOf(strings.Join(all, ","))
	default:
		return errors.New("expected a text or a number")
	}
	return nil
}

// durationFile is a time such as 20ms.
type durationFile time.Duration

func (d *durationFile) UnmarshalYAML(unmarshal func(any) error) error {
	var line string
	if err := unmarshal(&line); err != nil {
		return errors.New("expected a time such as 20ms")
	}
	value, err := time.ParseDuration(line)
	if err == nil && value <= 0 {
		err = fmt.Errorf("%s is no time that passes", line)
	}
	*d = durationFile(value)
	return err
}

// Read reads a cluster from a file in YAML (docs/guide/servers.md describes it). In place of
// programs it has packages, which are built by [Cluster.Build]; they, and files, are looked
// for from the directory of the file. An error is a *specs.Error, which has the position,
// or is about a file that cannot be read.
func Read(file string) (c Cluster, err error) {
	said, err := files.Read(file, files.Text)
	if err != nil {
		return c, err
	}
	var f clusterFile
	if err := yaml.UnmarshalWithOptions(said, &f, yaml.Strict()); err != nil {
		return c, yamlError(file, string(said), err)
	}
	c.Dir, c.read = filepath.Dir(file), []string{file}
	if c, err = f.cluster(c); err != nil {
		if m := (*memberError)(nil); errors.As(err, &m) {
			return c, m.placed(file, string(said))
		}
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// memberError is a mistake in a member of a part of a file.
type memberError struct {
	part            *yaml.Path
	member, message string
}

func (m *memberError) Error() string { return m.message }

// wrongBounds is the mistake in a member of the bounds.
func wrongBounds(member, format string, args ...any) error {
	return in(root().Child("bounds"), &memberError{member: member, message: "bounds: " + fmt.Sprintf(format, args...)})
}

func root() *yaml.PathBuilder { return (&yaml.PathBuilder{}).Root() }

// in says in which part of the file a member stands, if the error is about one.
func in(part *yaml.PathBuilder, err error) error {
	if m := (*memberError)(nil); errors.As(err, &m) {
		m.part = part.Build()
	}
	return err
}

// placed has the position of the member, or of the file if an alias stands for it.
func (m *memberError) placed(file, said string) error {
	e := &specs.Error{Position: specs.Position{File: file, Line: 1, Column: 1}, Message: m.message}
	if parsed, err := parser.ParseBytes([]byte(said), 0); err == nil {
		if part, err := m.part.FilterFile(parsed); err == nil {
			if values, ok := part.(*ast.MappingNode); ok {
				for _, v := range values.Values {
					if t := v.Key.GetToken(); t.Value == m.member {
						e.Line, e.Column = max(t.Position.Line, 1), max(t.Position.Column, 1)
					}
				}
			}
		}
	}
	e.Excerpt = lineOf(said, e.Line)
	return e
}

// lineOf returns a line of a text, "" if there is none.
func lineOf(said string, line int) string {
	lines := strings.Split(said, "\n")
	if line > len(lines) {
		return ""
	}
	text, _, _ := strings.Cut(lines[line-1], "\r")
	return text
}

// The parts of a file in which a member may belong.
var (
	inCluster = text.Part{Where: "at the top of the file, beside servers", Names: keysOf(clusterFile{})}
	inProgram = text.Part{Where: "in each of servers and clients", Names: keysOf(programFile{})}
	inBounds  = text.Part{Where: "in bounds", Names: slices.DeleteFunc(slices.Concat(rounds.SettingKeys()), func(key string) bool { return key == "processes" })}
	inSuite   = text.Part{Where: "in a case of a suite, or is a flag of the command", Names: []string{"executions", "expect", "faults", "kept", "known", "seed", "strategy", "timeout"}}
)

var unknownField = regexp.MustCompile(`^unknown field "(.*)"`)

// yamlError has the position of a mistake.
func yamlError(file, said string, err error) error {
	var y yaml.Error
	if !errors.As(err, &y) {
		return fmt.Errorf("%s: %w", file, err)
	}
	e := &specs.Error{Position: specs.Position{File: file, Line: 1, Column: 1}, Message: y.GetMessage()}
	if t := y.GetToken(); t != nil && t.Position != nil {
		e.Line, e.Column = max(t.Position.Line, 1), max(t.Position.Column, 1)
	}
	e.Excerpt = lineOf(said, e.Line)
	if m := unknownField.FindStringSubmatch(e.Message); m != nil {
		part, others := "a cluster", []text.Part{inProgram, inBounds, inSuite}
		if slices.Contains(inCluster.Names, m[1]) {
			part, others = "a server or client", []text.Part{inCluster}
		}
		e.Message = fmt.Sprintf("there is no %q in %s%s; a cluster has %s, and each of servers and clients %s", m[1], part,
			text.Misplaced(m[1], slices.Concat(inCluster.Names, inProgram.Names), others...), strings.Join(inCluster.Names, ", "), strings.Join(inProgram.Names, ", "))
		if m[1] == "cases" {
			e.Message = `this is a suite, for "ldfi check"`
		}
	}
	return e
}

// keysOf returns the keys that a part of a file has.
func keysOf(part any) (keys []string) {
	t := reflect.TypeOf(part)
	for i := range t.NumField() {
		keys = append(keys, t.Field(i).Tag.Get("yaml"))
	}
	return keys
}

// cluster adds what the file says to a cluster.
func (f *clusterFile) cluster(c Cluster) (Cluster, error) {
	if len(f.Servers) == 0 {
		return c, errors.New("a cluster has servers, as in servers: [{name: kv, build: ./cmd/kvd, nodes: 3}]")
	}
	c.Tick = time.Duration(f.Tick)
	var err error
	if f.Apart != nil {
		if c.Apart = int(*f.Apart); c.Apart == 0 {
			c.Apart = -1
		}
	}
	c.Calls = int(f.Calls)
	if f.Epoch != "" {
		if c.Epoch, err = time.Parse(time.RFC3339, f.Epoch); err != nil {
			return c, fmt.Errorf("epoch %s is no time such as 2026-01-31T12:00:00Z", f.Epoch)
		}
	}
	c.Files, c.Requests = f.Files, f.Requests
	taken := map[string]bool{}
	for i, list := range [][]programFile{f.Servers, f.Clients} {
		for j, p := range list {
			nodes, err := p.nodes(i == 1)
			if err != nil {
				return c, in(root().Child([]string{"servers", "clients"}[i]).Index(uint(j)), err)
			}
			for _, n := range nodes {
				if taken[n.Name] {
					return c, fmt.Errorf("two nodes are called %s: give one program another name", n.Name)
				}
				taken[n.Name] = true
			}
			if i == 0 {
				c.Nodes = append(c.Nodes, nodes...)
			} else {
				c.Clients = append(c.Clients, nodes...)
			}
		}
	}
	if p := f.Checker; p != nil {
		p.Name = cmp.Or(p.Name, "checker")
		nodes, err := p.nodes(true)
		switch {
		case err != nil:
			return c, in(root().Child("checker"), err)
		case len(nodes) > 1:
			return c, in(root().Child("checker"), &memberError{member: "nodes", message: p.Name + ": there is one checker, so that it has no nodes"})
		case taken[p.Name]:
			return c, fmt.Errorf("two nodes are called %s: give one program another name", p.Name)
		}
		c.Checker = nodes[0]
	}
	if f.Last != nil {
		c.Last = int(*f.Last)
	}
	c.Name = f.Servers[0].Name
	for _, file := range f.Properties {
		p, err := rules.Load(below(c.Dir, file))
		if err != nil {
			return c, err
		}
		c.Properties, c.read = append(c.Properties, p), append(c.read, below(c.Dir, file))
	}
	return c, f.bounds(&c)
}

// bounds reads the bounds of searches.
func (f *clusterFile) bounds(c *Cluster) error {
	settings := map[string]string{}
	for key, value := range f.Bounds {
		settings[key] = string(value)
	}
	if eot, ok := settings["eot"]; ok {
		n, err := strconv.Atoi(eot)
		if err != nil || n < 1 {
			return wrongBounds("eot", "eot: %s is no number of rounds", eot)
		}
		c.Rounds = n
	} else if len(settings) == 0 {
		return nil
	}
	if _, given := settings["processes"]; given {
		return wrongBounds("processes", "the processes are the nodes of the cluster")
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if !slices.Contains(inBounds.Names, key) {
			return wrongBounds(key, "there is no %q%s; there can be %s", key, text.Misplaced(key, inBounds.Names, inCluster, inSuite), strings.Join(inBounds.Names, ", "))
		}
	}
	var processes []string
	for _, n := range c.All() {
		processes = append(processes, n.Name)
	}
	settings["processes"] = strings.Join(processes, ",")
	settings["eot"] = strconv.Itoa(cmp.Or(c.Rounds, defaultRounds))
	b, err := rounds.BoundsFrom(settings)
	if err != nil {
		var wrong *rounds.OverrideError
		if errors.As(err, &wrong) {
			return wrongBounds(wrong.Key, "%s: %s", wrong.Key, wrong.Message)
		}
		return fmt.Errorf("bounds: %s", strings.ReplaceAll(err.Error(), "--", ""))
	}
	b.Processes, b.EOT = nil, 0
	c.Faults = b
	return nil
}

// nodes returns the nodes of a program.
func (p *programFile) nodes(client bool) (all []Node, err error) {
	if p.Name == "" {
		return nil, fmt.Errorf("a program has no name: add one, as in name: kv")
	}
	fail := func(format string, args ...any) ([]Node, error) {
		return nil, fmt.Errorf("%s: %s", p.Name, fmt.Sprintf(format, args...))
	}
	number := 1
	if p.Nodes != nil {
		number = *p.Nodes
	}
	switch {
	case !isName(p.Name) || strings.Contains(p.Name, ":"):
		return fail("this is no name of small letters, digits, - and _")
	case slices.Contains(placeholders, p.Name):
		return fail("this name stands for something else in braces: give the program another one")
	case p.Build == "":
		return fail("it says no package to build, as in build: ./cmd/kvd")
	case number < 1 || number > mostNodes:
		return fail("nodes is a number from 1 to %d", mostNodes)
	}
	if of := p.ofServers(); client && of != "" {
		return nil, &memberError{member: of, message: p.Name + ": a client has no restart, ports and polls: they stand in servers"}
	}
	n := Node{Program: p.Name, File: p.Build, Args: p.Args, Files: p.Files, Ports: p.Ports, Polls: p.Polls, Restart: time.Duration(p.Restart)}
	if client {
		n.Program = ""
	}
	for name, value := range p.Env {
		n.Env = append(n.Env, name+"="+string(value))
	}
	slices.Sort(n.Env)
	if n.Name = p.Name; number == 1 {
		return []Node{n}, nil
	}
	for i := range number {
		n.Name = p.Name + strconv.Itoa(i+1)
		all = append(all, n)
	}
	return all, nil
}

// ofServers returns a member that only servers have, "" if there is none.
func (p *programFile) ofServers() string {
	switch {
	case p.Restart != 0:
		return "restart"
	case p.Ports != nil:
		return "ports"
	case p.Polls != nil:
		return "polls"
	}
	return ""
}

// mostNodes is how many nodes a program has at most.
const mostNodes = 1000

// below returns a file that is looked for from a directory.
func below(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// Build builds the packages that stand in the place of programs, each once, in the
// directory Dir, and puts the programs in their place: below the directory out, or in the
// cache of the user if it is "". There programs stay, so that the go command need not link
// again what has not changed. Flags are those of go build for packages of the Go module of
// that directory ([Build]). Nothing is built if an argument, a template or what else a node is
// given is wrong.
func (c *Cluster) Build(ctx context.Context, out string, flags ...string) error {
	if inFunc() {
		return nil
	}
	dir, err := filepath.Abs(c.Dir)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	return c.replace(func(pkg string) (string, error) {
		file, err := placeOf(out, append([]string{dir, pkg}, flags...)...)
		if err != nil {
			return "", err
		}
		return file, Build(ctx, dir, pkg, file, flags...)
	})
}

// replace has programs in the place of packages, each of which is built once.
func (c *Cluster) replace(build func(pkg string) (file string, err error)) (err error) {
	built := map[string]string{}
	for _, n := range c.All() {
		if n.Steps || n.test != "" {
			continue
		}
		if built[n.File] == "" {
			if built[n.File], err = build(n.File); err != nil {
				return err
			}
		}
		n.File = built[n.File]
	}
	return nil
}

// check reports what System would about words in braces and files, before its programs are
// there.
func (c Cluster) check() error {
	if err := c.readRequests(); err != nil {
		return err
	}
	all, err := c.programs()
	if err != nil {
		return err
	}
	return c.checkRequests(all)
}

// placeOf returns the file for a program that is built, below a directory or, if that is "",
// in the cache of the user.
func placeOf(out string, program ...string) (file string, err error) {
	if out == "" {
		cache, err := gobuild.Cache()
		if err != nil {
			return "", err
		}
		file, err := placeOf(filepath.Join(cache, "nodes"), program...)
		if err != nil {
			return "", gobuild.Uncached(fmt.Errorf("keeping the programs of nodes: %w", err))
		}
		return file, nil
	}
	key := sha256.Sum256([]byte(strings.Join(program, "\x00")))
	file = filepath.Join(out, hex.EncodeToString(key[:10]), "node")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	tried, err := os.CreateTemp(filepath.Dir(file), "tmp-") // the folder may be there, and be read-only
	if err != nil {
		return "", err
	}
	return file, errors.Join(tried.Close(), os.Remove(tried.Name()))
}

// Digest returns a digest of all files that the cluster depends on: that which Read has
// read, with the rules that it names, the programs, and what nodes have on their disks.
func (c *Cluster) Digest() (string, error) {
	h := sha256.New()
	add := func(name, file string) error {
		fmt.Fprintf(h, "%q\n", name)
		return files.Copy(h, file, files.Program)
	}
	for _, file := range c.read {
		if err := add("", file); err != nil {
			return "", err
		}
	}
	if c.Requests != "" {
		if err := add("", below(c.Dir, c.Requests)); err != nil {
			return "", err
		}
	}
	given := []map[string]string{c.Files}
	programs := map[string]bool{}
	for _, n := range c.All() {
		given = append(given, n.Files)
		if !programs[n.File] {
			programs[n.File] = true
			if err := add("", n.File); err != nil {
				return "", err
			}
		}
	}
	for _, all := range given {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			root := below(c.Dir, all[name])
			err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				return add(name+strings.TrimPrefix(file, root), file)
			})
			if err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
