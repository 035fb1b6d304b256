package main

import (
	"context"
	"sync"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// casePages are the pages of the cases of a suite, in the report about it.
type casePages struct {
	command string
	mutex   sync.Mutex
	pages   map[int]*report.Page // by the number of the case
}

// add makes the page of a case. The page of a case that was not opened, because its answer
// was known, has only the contents of the answer.
func (c *casePages) add(ctx context.Context, asked *suite.Case, r *suite.CaseResult, o *subject.Opened) {
	if r.Answer == nil {
		return
	}
	page := c.page(ctx, asked, r, o)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pages == nil {
		c.pages = map[int]*report.Page{}
	}
	c.pages[r.Index] = page
}

func (c *casePages) page(ctx context.Context, asked *suite.Case, r *suite.CaseResult, o *subject.Opened) *report.Page {
	words := report.Words{About: answertext.Size, Replay: func(rounds.Schedule) string { return r.Again }}
	if asked != nil {
		words.Replay = subject.Again(asked.Subject, r.Answer, func(s rounds.Schedule) string {
			return subject.InjectWithin(asked.Subject, r.Answer.Scope.Bounds, s)
		})
	}
	if o != nil {
		if bounded, err := o.Bounded(r.Answer.Scope.Bounds); err == nil {
			o = bounded
		}
	}
	if o != nil && r.Answer.Verdict != result.Inconclusive {
		p := report.NewPage(r.Name, c.command, o.Bounds())
		err := o.Report(ctx, p, r.Answer, words)
		if err == nil {
			if r.Outcome != suite.Pass {
				suggest(ctx, p, o, r.Answer)
			}
			return p
		}
	}
	p := report.NewPage(r.Name, c.command, r.Answer.Scope.Bounds)
	if err := p.AddAnswer(r.Answer, words); err != nil {
		p.Warnings = append(p.Warnings, err.Error())
	}
	return p
}

// write writes a report with these pages to a file; nothing if the name is empty.
func (c *casePages) write(file string, r *suite.Report) error {
	if file == "" {
		return nil
	}
	landing, err := r.Landing(c.command, c.pages)
	if err != nil {
		return err
	}
	return files.Replace(file, landing.Write)
}
