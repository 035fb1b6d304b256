//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// pty is a terminal with a command on it.
type pty struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	cmd    *exec.Cmd

	mutex sync.Mutex
	text  bytes.Buffer
}

// onTerminal starts a command on a terminal of 80 columns and 24 lines.
func onTerminal(t *testing.T, environment []string, args ...string) *pty {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = slave.Close() })
	require.NoError(t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	p := &pty{t: t, master: master, slave: slave, cmd: exec.Command("ldfi", args...)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.Env = append(os.Environ(), environment...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	go p.read()
	return p
}

func (p *pty) read() {
	text := make([]byte, 1<<12)
	for {
		n, err := p.master.Read(text)
		p.mutex.Lock()
		p.text.Write(text[:n])
		p.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

func (p *pty) seen() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.text.String()
}

func (p *pty) sees(text string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool { return strings.Contains(p.seen(), text) }, 20*time.Second, 10*time.Millisecond, "%s in %q", text, p.seen())
}

// settings are those of the terminal.
func (p *pty) settings() unix.Termios {
	settings, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	require.NoError(p.t, err)
	return *settings
}

// ends waits for the end of the command, which is within two seconds, and what the machine needs.
func (p *pty) ends() error {
	p.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(10 * time.Second):
		require.Fail(p.t, "it does not end", "%q", p.seen())
		return nil
	}
}

// However explore is left, in the middle of a question too, the terminal is as it was,
// the host is gone, and the command that executes the schedule again is there to read.
func TestExploreLeavesTheTerminalAsItWas(t *testing.T) {
	for name, leave := range map[string]func(*pty){
		"q":       func(p *pty) { _, _ = p.master.WriteString("q") },
		"ctrl-c":  func(p *pty) { _, _ = p.master.WriteString("\x03") },
		"a query": func(p *pty) { _, _ = p.master.WriteString("a\x03") },
		"SIGTERM": func(p *pty) { _ = p.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			host := filepath.Join(t.TempDir(), "host")
			p := onTerminal(t, []string{"TERM=xterm-256color"}, "explore", "--system", fmt.Sprintf("sh -c 'echo $$ > %s; exec election-host'", host), "--name", "election-buggy", "--faults", "isolate c@3..4")
			before := p.settings()
			p.sees("VIOLATED")
			require.NotEqual(t, before, p.settings(), "keys come one by one")
			start := time.Now()
			leave(p)
			require.NoError(t, p.ends())
			if *exact {
				require.Less(t, time.Since(start), 2*time.Second)
			}
			require.Equal(t, before, p.settings())
			p.sees("\x1b[?1049l") // the other screen
			require.Contains(t, p.seen(), "\x1b[?1049h")
			p.sees("ldfi inject --system")
			p.sees("--faults 'isolate ")
			require.Greater(t, strings.LastIndex(p.seen(), "\x1b[?25h"), strings.LastIndex(p.seen(), "\x1b[?25l"), "the cursor")
			require.Greater(t, strings.LastIndex(p.seen(), "ldfi inject"), strings.LastIndex(p.seen(), "\x1b[?1049l"), "on the screen that was there before")
			text, err := os.ReadFile(host)
			require.NoError(t, err)
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			require.NoError(t, err)
			require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH, "the host")
		})
	}
}

// Without a cursor that can be moved, explore says what to ask instead.
func TestExploreOnADumbTerminal(t *testing.T) {
	p := onTerminal(t, []string{"TERM=dumb"}, "explore", "../../testdata/protocols/delivery/retry.ded")
	var exit *exec.ExitError
	require.ErrorAs(t, p.ends(), &exit)
	require.Equal(t, exitUsage, exit.ExitCode())
	p.sees("TERM=dumb")
	require.NotContains(t, p.seen(), "\x1b")
}
