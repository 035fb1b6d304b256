//go:build linux

package slot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
)

// This program is also the keeper, and the ldfi that does units as badly as it is told to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "keep":
			os.Exit(Keep(os.Args[2:]))
		case "unit":
			pretend()
			os.Exit(0)
		case "worker":
			beWorker(os.Args[2])
		}
	}
	os.Exit(m.Run())
}

// ask is what the fake ldfi is told: to do something, with an argument.
type ask struct {
	Do string `json:"do"`
	X  string `json:"x,omitempty"`
}

// world is what the fake ldfi sees.
type world struct {
	Process int      `json:"process"`
	Env     []string `json:"env"`
	Dir     string   `json:"dir"`
	Files   []string `json:"files"` // of the slot, with what is in them
	Limit   time.Duration
	Cores   int
}

func pretend() {
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var t work.Task
		var a ask
		check(json.Unmarshal(line, &t))
		check(json.Unmarshal(t.Unit.Ask, &a))
		fmt.Fprintln(os.Stderr, "doing", a.Do)
		if d := do(&t, a); d != nil {
			text, err := work.WriteLine(d)
			check(err)
			_, _ = os.Stdout.Write(text)
		}
	}
}

func do(t *work.Task, a ask) *work.Done {
	switch a.Do {
	case "look":
	case "wrong":
		return &work.Done{Error: "there is no relation " + a.X, Final: true}
	case "sleep":
		time.Sleep(time.Hour)
	case "stop in time":
		time.Sleep(t.Limit)
		return &work.Done{Answer: json.RawMessage(`"so far"`)}
	case "crash":
		panic("something is wrong inside")
	case "leave":
		os.Exit(3)
	case "die":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "write":
		fmt.Print(a.X)
		return nil
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				return nil
			}
		}
	case "chatter":
		for i := range 100_000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		os.Exit(3)
	case "close":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "hold":
		hold(a.X)
	case "eat":
		eat()
	case "shell":
		cmd := exec.Command("sh", "-c", a.X)
		cmd.Dir = t.Dir
		cmd.Stderr = os.Stderr
		check(cmd.Run())
	}
	text, err := json.Marshal(look(t))
	check(err)
	return &work.Done{Answer: text, Final: true}
}

// hold takes memory that stays from one unit to the next.
func hold(mebibytes string) {
	n, err := strconv.Atoi(mebibytes)
	check(err)
	take(n)
	time.Sleep(300 * time.Millisecond) // so that somebody may notice
}

// eat takes more and more memory, but not so fast that nobody notices.
func eat() {
	for {
		take(1)
		time.Sleep(2 * time.Millisecond)
	}
}

// take takes memory, of which Go knows nothing, in mebibytes.
func take(n int) {
	more, err := syscall.Mmap(-1, 0, n<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	check(err)
	for i := range more {
		more[i] = 1
	}
}

func look(t *work.Task) world {
	dir, err := os.Getwd()
	check(err)
	w := world{Process: os.Getpid(), Env: os.Environ(), Dir: dir, Limit: t.Limit, Cores: t.Workers}
	check(filepath.Walk(filepath.Dir(t.Dir), func(path string, info os.FileInfo, err error) error {
		check(err)
		name, err := filepath.Rel(filepath.Dir(t.Dir), path)
		check(err)
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			check(err)
			name += fmt.Sprintf(" %v %s", info.Mode(), content)
		}
		w.Files = append(w.Files, name)
		return nil
	}))
	return w
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
