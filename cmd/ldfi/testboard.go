package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
	"golang.org/x/term"
)

// board knows all properties that the tests search, and shows on a terminal those that they
// are searching.
type board struct {
	flags  testFlags
	shares *shares
	here   string
	out    io.Writer     // standard error
	width  int           // of the terminal that it is; 0: it is none
	every  time.Duration // between two pictures

	door  net.Listener
	tests sync.WaitGroup

	mutex sync.Mutex
	all   []*testedProperty
	other string // what is wrong with the module of a test
	drawn int    // lines of the picture
	end   chan struct{}
	ended chan struct{}
}

// testedProperty is a property of a system that a test searches.
type testedProperty struct {
	messages.Searched
	conn     net.Conn
	begun    time.Time
	progress result.Progress
	last     *messages.Told // nil: it is searched
}

// How often the board is shown: on a terminal, and as lines elsewhere.
const (
	boardBeat = 200 * time.Millisecond
	lineBeat  = 10 * time.Second
)

// leastName is how much of the name of a property a line has at least.
const leastName = 16

// lastAnswers is how long tests have, after Ctrl-C, to say how far they came.
const lastAnswers = 700 * time.Millisecond

func newBoard(s *session, packages []gobuild.TestPackage, flags testFlags) *board {
	here, _ := os.Getwd()
	b := &board{flags: flags, here: here, out: s.stderr, every: lineBeat, shares: newShares(flags.budget, here)}
	if file, ok := s.stderr.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		b.every = boardBeat
		b.width, _, _ = term.GetSize(int(file.Fd()))
		b.width = cmp.Or(b.width, 80)
	}
	return b
}

// listen opens the socket where tests come, and returns its path.
func (b *board) listen(dir string) (string, error) {
	door, err := net.Listen("unix", filepath.Join(dir, "test"))
	if err != nil {
		return "", err
	}
	b.door = door
	b.tests.Go(func() {
		for {
			conn, err := door.Accept()
			if err != nil {
				return
			}
			b.tests.Go(func() { b.serve(conn) })
		}
	})
	return door.Addr().String(), nil
}

// serve listens to the search of a property until its end, or the end of the test.
func (b *board) serve(conn net.Conn) {
	defer conn.Close()
	in := json.NewDecoder(conn)
	p := &testedProperty{conn: conn, begun: time.Now()}
	if err := in.Decode(&p.Searched); err != nil {
		return
	}
	if p.Version != messages.Version {
		b.mutex.Lock()
		b.other = fmt.Sprintf("the tests of %s are built with another version of ldfi than this command: require the same one in go.mod", p.Package)
		b.mutex.Unlock()
	}
	b.mutex.Lock()
	b.all = append(b.all, p)
	b.mutex.Unlock()
	limit := b.shares.begin(p.Package, p.Test, p.After)
	defer b.shares.end(p.Package, p.Test)
	if err := json.NewEncoder(conn).Encode(messages.Granted{Limit: limit}); err != nil {
		return
	}
	for {
		told := &messages.Told{}
		if err := in.Decode(told); err != nil {
			b.mutex.Lock()
			if p.last == nil {
				p.last = &messages.Told{Error: "the test ended while the property was searched: its output says why"}
			}
			b.mutex.Unlock()
			return
		}
		b.mutex.Lock()
		if told.Progress != nil {
			p.progress = *told.Progress
		} else if p.last == nil {
			if p.last = told; p.violated() {
				b.tell(p)
			}
		}
		b.mutex.Unlock()
	}
}

// tell says at once that a property is violated: go test prints nothing of a package before its end.
func (b *board) tell(p *testedProperty) {
	first := p.last.Answer.First()
	b.clear()
	fmt.Fprintf(b.out, "ldfi: violated: %s by %s\n", text.Safe(b.name(p)), text.Safe(answertext.Schedule(first.Schedule)))
}

// stop asks the tests to end their searches, and waits until they said how far they came.
func (b *board) stop() {
	for end := time.Now().Add(lastAnswers); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		searching := false
		b.mutex.Lock()
		for _, p := range b.all {
			if p.last == nil {
				searching = true
				_ = p.conn.(*net.UnixConn).CloseWrite()
			}
		}
		b.mutex.Unlock()
		if !searching {
			return
		}
	}
}

// close waits for the last words of the tests, which have ended, and takes the picture away.
func (b *board) close() {
	_ = b.door.Close()
	b.tests.Wait()
	close(b.end)
	<-b.ended
}

// name is how a property is called: by its package, as people name it, and its test.
func (b *board) name(p *testedProperty) string {
	folder := suite.Near(b.here, b.here, p.Folder)
	if !filepath.IsLocal(folder) {
		return p.Package + " " + p.Test
	}
	if folder == "." {
		return p.Test
	}
	return "./" + folder + " " + p.Test
}

func (p *testedProperty) violated() bool {
	return p.last != nil && p.last.Answer != nil && p.last.Answer.Verdict == result.Violated
}

// results are the properties as cases of a suite, by their names.
func (b *board) results() []suite.CaseResult {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	slices.SortStableFunc(b.all, func(x, y *testedProperty) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Test, y.Test))
	})
	cases := []suite.CaseResult{}
	for _, p := range b.all {
		c := suite.CaseResult{Name: b.name(p), Answer: p.last.Answer, Error: p.last.Error, Again: p.last.Again}
		c.Position = specs.Position{File: suite.Near(b.here, p.Folder, p.File), Line: p.Line, Column: 1}
		if p.last.NewKept != "" {
			for _, name := range strings.Split(p.last.NewKept, ", ") {
				c.NewKept = strings.TrimPrefix(c.NewKept+", "+suite.Near(b.here, p.Folder, name), ", ")
			}
		}
		for _, k := range p.last.Kept {
			r := suite.KeptResult{File: suite.Near(b.here, p.Folder, k.File), Schedule: k.Schedule, Outcome: suite.Keeps, Again: p.last.Again}
			if k.Broken {
				r.Outcome = suite.Breaks
			}
			c.Kept = append(c.Kept, r)
		}
		cases = append(cases, c)
	}
	return cases
}

// show begins to show what is searched.
func (b *board) show() {
	b.end, b.ended = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(b.ended)
		for tick := time.Tick(b.every); ; {
			select {
			case <-b.end:
				b.mutex.Lock()
				b.clear()
				b.mutex.Unlock()
				return
			case <-tick:
				b.mutex.Lock()
				b.draw()
				b.mutex.Unlock()
			}
		}
	}()
}

// draw shows the properties that are searched now: on a terminal in place of the last picture.
func (b *board) draw() {
	var lines []string
	for _, p := range b.all {
		if p.last == nil && (b.width > 0 || time.Since(p.begun) >= b.every) {
			lines = append(lines, b.line(p))
		}
	}
	if b.width == 0 {
		for _, line := range lines {
			fmt.Fprintf(b.out, "ldfi: %s\n", text.Safe(line))
		}
		return
	}
	b.clear()
	if len(lines) == 0 {
		return
	}
	violated, done := 0, len(b.all)-len(lines)
	for _, p := range b.all {
		if p.violated() {
			violated++
		}
	}
	lines = append(lines, fmt.Sprintf("%d searched, %d violated (Ctrl-C prints the results so far)", done, violated))
	for _, line := range lines {
		fmt.Fprintf(b.out, "%s\n", text.Cut(text.Safe(line), b.width-1))
	}
	b.drawn = len(lines)
}

// clear takes the picture away.
func (b *board) clear() {
	if b.drawn > 0 {
		fmt.Fprintf(b.out, "\033[%dA\033[J", b.drawn)
		b.drawn = 0
	}
}

// line says how far the search of a property is.
func (b *board) line(p *testedProperty) string {
	took := time.Since(p.begun).Seconds()
	s := fmt.Sprintf("%4d s  %s executions", int(took), text.Number(big.NewInt(int64(p.progress.Executions)), 9))
	if took >= 1 && p.progress.Executions > 0 {
		s += fmt.Sprintf(", %.0f/s", float64(p.progress.Executions)/took)
	}
	if p.progress.Text != "" {
		s += ", " + p.progress.Text
	}
	if b.width == 0 {
		return s + "  " + b.name(p)
	}
	return s + "  " + text.Cut(b.name(p), max(b.width-3-text.Width(s), leastName))
}

// above returns a writer whose lines appear above the picture.
func (b *board) above(to io.Writer) io.Writer { return &aboveBoard{b, to} }

type aboveBoard struct {
	board *board
	to    io.Writer
}

func (a *aboveBoard) Write(p []byte) (int, error) {
	a.board.mutex.Lock()
	defer a.board.mutex.Unlock()
	a.board.clear()
	return a.to.Write(p)
}
