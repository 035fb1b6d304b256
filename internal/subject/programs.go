package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
)

// SentHost is how the host of a system is started that came with a unit.
type SentHost struct {
	Program string   `json:"program"`      // the file of the unit that is started; "": the first word, which every machine has
	Words   []string `json:"words"`        // what follows
	In      string   `json:"in,omitempty"` // where it is started: a directory below that of the inputs
}

// The names of the host's program and of its inputs in the directory of a unit.
const (
	programDir = "program"
	inputsDir  = "inputs"
)

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// settle sets the command of the host to the program in the unit.
func (h *SentHost) settle(s *System, t *work.Task) error {
	switch {
	case !t.Hosts:
		return errors.New("this worker starts no programs that come with units (--allow-hosts)")
	case t.Unit.Platform != platform():
		return fmt.Errorf("its program is one for %q, and this is %s", t.Unit.Platform, platform())
	case !filepath.IsLocal(filepath.Join(".", h.In)):
		return fmt.Errorf("its program is started in %q, which lies outside of its directory", h.In)
	}
	words := h.Words
	if h.Program != "" {
		if _, ok := t.Unit.Files[h.Program]; !ok {
			return fmt.Errorf("the unit has no file %q", h.Program)
		}
		file, err := executable(t.Dir, h.Program)
		if err != nil {
			return err
		}
		words = append([]string{file}, words...)
	} else if len(words) == 0 || words[0] == "" || filepath.Base(words[0]) != words[0] {
		return errors.New("it names no program that it has")
	}
	s.room = filepath.Join(t.Dir, inputsDir, filepath.FromSlash(h.In))
	s.Command, s.Stderr = text.ShellJoin(words...), os.Stderr
	return os.MkdirAll(s.room, 0o700)
}

// executable makes a file in the directory executable, and refuses files elsewhere.
func executable(in, name string) (string, error) {
	dir, err := files.OpenDir(in)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	program, err := dir.Open(name)
	if err != nil {
		return "", err
	}
	file := filepath.Join(in, filepath.FromSlash(name))
	return file, errors.Join(program.Close(), os.Chmod(file, 0o700))
}

// Pack packs the question, see [System.pack].
func (h *OpenedSystem) Pack(ctx context.Context) (*Parcel, error) { return h.question.pack(ctx) }

// pack packs the program of the host, and the inputs of the host that the user names.
func (s *System) pack(ctx context.Context) (*Parcel, error) {
	if err := s.stays(); err != nil {
		return nil, err
	}
	about := &System{
		Common: s.sent(), Name: s.Name, Executions: s.Executions, Seed: s.Seed,
		GoroutineOrders: s.GoroutineOrders, Statistics: s.Statistics, CallTimeout: s.CallTimeout,
	}
	for _, file := range s.paths(s.Properties) {
		about.Properties = append(about.Properties, s.called(file))
	}
	p := newParcel(Sent{System: about})
	for i, file := range s.Properties {
		text, err := s.read(file, files.Text)
		if err == nil {
			err = p.addText(about.Properties[i], text)
		}
		if err != nil {
			return nil, notPacked(err)
		}
	}
	for _, file := range s.Inputs {
		if err := s.addInput(p, file); err != nil {
			return nil, notPacked(err)
		}
	}
	built, err := s.Programs.of(ctx, s)
	if err != nil {
		return nil, notPacked(err)
	}
	if built.Program != "" {
		p.addKnown(built.Program, built.digest, built.content)
	}
	p.Host, p.platform = &built.SentHost, platform()
	return p, nil
}

// notPacked returns an error that keeps the question in this process, and gives the reason.
func notPacked(err error) error {
	if errors.As(err, new(*HereError)) {
		return err
	}
	return &HereError{err.Error()}
}

// read returns the content of a file of the subject.
func (c *Common) read(file string, most int64) ([]byte, error) {
	return files.ReadFrom(c.FS, c.path(file), most)
}

// addInput adds a file that the host reads. The host finds it at the same place as here.
func (s *System) addInput(p *Parcel, file string) error {
	local, ok := cutPrefix(s.path(file), filepath.Clean(s.Dir))
	if !ok {
		return &HereError{fmt.Sprintf("its input %s lies outside of its directory", file)}
	}
	content, err := s.read(file, files.Program)
	if err == nil {
		p.add(path.Join(inputsDir, filepath.ToSlash(local)), content)
	}
	return err
}

// Programs are programs of hosts that were built to be handed out. Each is built once, and
// executed here as well.
type Programs struct {
	mutex sync.Mutex
	built map[string]*sentProgram // by directory and command
}

// sentProgram is a program that is handed out.
type sentProgram struct {
	SentHost
	mutex   sync.Mutex
	ready   bool
	err     error
	digest  string
	content []byte
	dir     *files.Scratch // in which it lies that was built; nil: it was not, or lies nowhere any more
	file    string
	runs    string // in this directory
}

// Close removes the programs that were built.
func (all *Programs) Close() {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	for _, p := range all.built {
		p.close()
	}
	all.built = nil
}

func (p *sentProgram) close() {
	if p.dir != nil {
		_ = p.dir.Remove()
		p.dir = nil
	}
}

// Build builds the program of the host, if that is handed out and was not built yet.
func (s *System) Build(ctx context.Context) error {
	_, _, err := s.start(ctx)
	return err
}

// start returns the command that starts the host here, and its directory: the program that
// was built to be handed out, or else the command of the subject.
func (s *System) start(ctx context.Context) (command, dir string, err error) {
	command, dir = s.hosted(), cmp.Or(s.room, s.Dir)
	if s.Programs == nil || !Builds(s.Command) {
		return command, dir, nil
	}
	p, err := s.Programs.of(ctx, s)
	switch late := (*gobuild.LateError)(nil); {
	case errors.As(err, &late), err != nil && ctx.Err() != nil:
		return "", "", fmt.Errorf("starting the host of the system (%s): %w", s.Command, err)
	case err != nil: // the command itself reports the error
		return command, dir, nil
	}
	return text.ShellJoin(append([]string{p.file}, p.Words...)...), p.runs, nil
}

// of returns the program of a subject.
func (all *Programs) of(ctx context.Context, s *System) (*sentProgram, error) {
	p := &sentProgram{}
	if all != nil {
		p = all.entry(s.Dir + "\x00" + s.Command + "\x00" + fmt.Sprint(len(s.Inputs) > 0))
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.ready {
		p.err = p.make(ctx, s)
		p.ready = ctx.Err() == nil
	}
	if all == nil { // no other machine will start it
		p.close()
	}
	return p, p.err
}

func (all *Programs) entry(key string) *sentProgram {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if all.built == nil {
		all.built = map[string]*sentProgram{}
	}
	if all.built[key] == nil {
		all.built[key] = &sentProgram{}
	}
	return all.built[key]
}

// make prepares the program of a command: a program to build, a file, or a program that
// every machine has and that reads files sent along.
func (p *sentProgram) make(ctx context.Context, s *System) error {
	words, err := text.ShellSplit(s.Command)
	switch {
	case err != nil:
		return err
	case gobuild.OfGo(words):
		return p.build(ctx, s, words)
	case strings.ContainsRune(words[0], filepath.Separator):
		p.Words = words[1:]
		return p.take(s.path(words[0]))
	case len(s.Inputs) == 0:
		return &HereError{fmt.Sprintf("its command (%s) names no program that can be sent, and no inputs", s.Command)}
	}
	p.Words = words
	return nil
}

// take takes a file.
func (p *sentProgram) take(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Mode()&0o111 == 0 {
		return &fs.PathError{Op: "starting", Path: file, Err: fs.ErrPermission}
	}
	if p.content, err = files.Read(file, files.Program); err != nil {
		return err
	}
	p.Program, p.digest = path.Join(programDir, filepath.Base(file)), work.Digest(p.content)
	return nil
}

// build builds the program of a command of Go.
func (p *sentProgram) build(ctx context.Context, s *System, words []string) (err error) {
	p.close()
	if p.dir, err = files.NewScratch("", "ldfi-host-"); err != nil {
		return err
	}
	built, err := gobuild.Patiently(ctx, gobuild.Build{Dir: s.Dir, Words: words, Out: p.dir.Path()}.Program)
	if err != nil {
		p.close()
		return err
	}
	p.Words, p.file, p.runs = slices.Clone(built.Arguments), built.File, built.Dir
	if built.Dir != s.Dir {
		home, err := filepath.Abs(s.Dir)
		if err != nil {
			return err
		}
		in, ok := cutPrefix(built.Dir, home)
		if !ok {
			return &HereError{fmt.Sprintf("its test runs in %s, which lies outside of its directory", built.Dir)}
		}
		p.In = filepath.ToSlash(in)
	}
	return p.take(built.File)
}

// Builds tells whether the command of a host builds a program, or those of its nodes. The
// time of building says nothing about the host.
func Builds(command string) bool {
	words, err := text.ShellSplit(command)
	_, ofNodes := OfNodes(command)
	return err == nil && (ofNodes || gobuild.OfGo(words))
}
