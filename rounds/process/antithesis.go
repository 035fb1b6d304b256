package process

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// assertionsFile is where the SDK of Antithesis writes to, on the disk of the node.
const assertionsFile = tempDir + "/antithesis.jsonl"

// hasSDK tells whether a program is linked with the SDK of Antithesis.
func hasSDK(file string) bool {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return false // it is not built yet
	}
	for _, d := range info.Deps {
		if d.Path == gobuild.Antithesis {
			return true
		}
	}
	return false
}

// assertsTo is the environment variable that says where the SDK writes to.
func (p *program) assertsTo() []string {
	if !p.asserts {
		return nil
	}
	return []string{"ANTITHESIS_SDK_LOCAL_OUTPUT=" + assertionsFile}
}

// assertions are what a program has asserted since it started.
type assertions struct {
	read  int64 // bytes of the file
	lines lines
}

// assertion is a line of the file, as far as it counts here.
type assertion struct {
	Assert *struct {
		Location struct {
			File string `json:"file"`
			Line int    `json:"begin_line"`
		} `json:"location"`
		Display   string `json:"display_type"`
		Message   string `json:"message"`
		Hit       bool   `json:"hit"`
		Condition bool   `json:"condition"`
	} `json:"antithesis_assert"`
}

// covers returns a property that names the checks in the sources of the programs that should
// hold, or run, in some execution, and the polls that should be answered; false if there are
// none.
func (c *Cluster) covers(programs []*program) (property.Property, bool, error) {
	var all strings.Builder
	seen := map[string]bool{"": true}
	for _, n := range c.All() {
		checks, err := gobuild.Assertions(n.File)
		if err != nil {
			return property.Property{}, false, fmt.Errorf("reading the checks of %s: %w", n.File, err)
		}
		for _, check := range checks {
			rule := ruleOf(check)
			if !seen[rule] {
				seen[rule] = true
				all.WriteString(rule)
			}
		}
	}
	for _, p := range programs {
		for _, ask := range p.polls {
			fmt.Fprintf(&all, "covered(P) :- polled(P, %q, _).\n", ask.url)
		}
	}
	if all.Len() == 0 {
		return property.Property{}, false, nil
	}
	p := rules.New("checks and polls", all.String()+"violation(P) :- covered(P), P = \"\".\n")
	p.Covers, p.CrashedCounts = true, true
	return p, true, nil
}

// ruleOf returns the rule that reads what a check reports where it holds, or runs; "" for
// what need not happen.
func ruleOf(check gobuild.Assertion) string {
	message := tidy(check.Message)
	if strings.ContainsAny(message, "\"\\\n\r\t") || message != check.Message {
		return "" // it cannot be written in rules
	}
	atom := ""
	switch name := check.Function; {
	case name == "AlwaysOrUnreachable" || name == "Unreachable":
		return ""
	case name == "Reachable":
		atom = `reachable(P, "%s", _, _)`
	case strings.HasPrefix(name, "Sometimes"):
		atom = `sometimes(P, "%s", "true", _, _)`
	default:
		atom = `always(P, "%s", _, _, _)`
	}
	return "covered(P) :- " + fmt.Sprintf(atom, message) + ".\n"
}

// forgetAssertions removes what a program has asserted before: that has been told, no crash
// loses it, and who starts asserts anew.
func (p *process) forgetAssertions(d *disk.Disk) {
	if p.asserts {
		_ = d.Remove(assertionsFile) // it need not be there
	}
}

// takeAssertions reports what the SDK has written in a step.
func (p *process) takeAssertions() error {
	if !p.asserts || p.disk == nil {
		return nil
	}
	f, err := p.disk.Open(assertionsFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= p.asserted.read {
		return err
	}
	text := make([]byte, info.Size()-p.asserted.read)
	if _, err := f.ReadAt(text, p.asserted.read); err != nil {
		return err
	}
	p.asserted.read += int64(len(text))
	for _, line := range p.asserted.lines.add(text) {
		var a assertion
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return fmt.Errorf("it has written to %s what is no assertion of the SDK of Antithesis: %w", assertionsFile, err)
		}
		if a.Assert == nil || !a.Assert.Hit { // such as the version of the SDK
			continue
		}
		at := a.Assert.Location
		if at.File == "" && strings.Contains(a.Assert.Message, "CGO enabled") { // the SDK as of 0.8.0, of itself
			continue
		}
		place := path.Base(path.Dir(at.File)) + "/" + path.Base(at.File) + ":" + strconv.Itoa(at.Line)
		message, holds := tidy(a.Assert.Message), strconv.FormatBool(a.Assert.Condition)
		switch a.Assert.Display {
		case "Reachable":
			p.tell("reachable", message, place)
		case "Unreachable":
			p.tell("unreachable", message, place)
		case "Sometimes":
			p.tell("sometimes", message, holds, place)
		default: // Always, AlwaysOrUnreachable and those that compare numbers
			p.tell("always", message, holds, place)
		}
	}
	return nil
}
