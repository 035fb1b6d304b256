package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/assistant"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
)

// toolServer answers the questions of assistants, within limits.
type toolServer struct {
	dir                fs.FS           // from which files are read
	hosts              map[string]bool // the commands that may be started; nil: none
	timeout            time.Duration   // of each answer, at most
	maxFacts, maxGates int
	memory             limits.MemorySize // of all answers at the same time together; 0: half of the machine's
	atOnce             int               // the most answers at the same time
	log                io.Writer
}

// tools are the tools of the server.
func (d *toolServer) tools() []assistant.Tool {
	commands := new(session).root()
	var all []assistant.Tool
	for _, form := range forms {
		cmd, _, err := commands.Find([]string{form.command})
		if err != nil {
			panic(err) // all of them are commands
		}
		form := form.of(cmd, d)
		all = append(all, assistant.Tool{
			Name: form.command, Title: form.title, Description: form.about, Parameters: form.parameters(),
			Ask: func(ctx context.Context, given assistant.Arguments) assistant.Answer {
				line, err := form.line(d, given)
				if err != nil {
					return assistant.Answer{Wrong: err.Error()}
				}
				return d.answer(ctx, line)
			},
		})
	}
	return all
}

// answer carries out a command line, which writes JSON.
func (d *toolServer) answer(ctx context.Context, line []string) assistant.Answer {
	var out, b bytes.Buffer
	edge := text.NewSafeWriter(d.log)
	s := &session{streams: streams{in: strings.NewReader(""), err: edge}, stdout: &out, stderr: d.log, args: line, disk: d.dir, text: &b}
	err := s.execute(ctx)
	if errors.As(err, new(*limits.LeftError)) {
		_, words := failure(err)
		return assistant.Answer{Wrong: words} // it may still write into the buffers
	}
	_ = edge.Flush()
	if err == nil {
		err = s.write()
	}
	if err != nil {
		_, words := failure(err)
		return assistant.Answer{Wrong: text.SafeLines(words)}
	}
	return assistant.Answer{JSON: out.Bytes(), Text: text.SafeLines(b.String())}
}

// limits are the flags by which an answer is bounded.
func (d *toolServer) limits(given assistant.Arguments, system bool) ([]string, error) {
	timeout := d.timeout
	if text := given.Text("timeout"); text != "" {
		asked, err := time.ParseDuration(text)
		if err == nil && asked > d.timeout {
			return nil, fmt.Errorf("--timeout %v: this server stops each answer after %v (ldfi mcp --timeout)", asked, d.timeout)
		}
		if err != nil || asked <= 0 {
			return []string{"--timeout=" + text}, nil // which the command refuses
		}
		timeout = asked
	}
	line := []string{"--timeout=" + timeout.String()}
	if !system {
		line = append(line, fmt.Sprintf("--max-facts=%d", d.maxFacts), fmt.Sprintf("--max-gates=%d", d.maxGates), "--memory="+d.memory.Part(d.atOnce).String())
	}
	return line, nil
}
