package explore

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds"
)

// mostText is the size of the largest file with a schedule that is read.
const mostText = 1 << 20

// lockWord begins the comments that are locks: a file is read as the text of a schedule
// everywhere else.
const lockWord = "# lock: "

// Save writes the current schedule to a file, in its text form, with the locks as comments.
// The file must not be one of the explored subject.
func (e *Exploration) Save(name string) error {
	var text strings.Builder
	for _, l := range e.now.locks {
		if strings.ContainsAny(l.Text, "\n\r") {
			return fmt.Errorf("the lock %q has more than one line and cannot be saved: take it away first (k, and its text)", l)
		}
		text.WriteString(lockWord + l.String() + "\n")
	}
	text.WriteString(e.now.schedule.String() + "\n")
	if err := e.SaveText(name, text.String()); err != nil {
		return err
	}
	e.saved = e.now.schedule.String()
	return nil
}

// SaveText writes a text to a file, which must not be one of the explored subject.
func (e *Exploration) SaveText(name, text string) error {
	if slices.Contains(e.asked.Read(), name) {
		return fmt.Errorf("%s belongs to what is explored, and would be lost: save into another file", name)
	}
	return files.Replace(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// Load makes the schedule and the locks of a file the current ones. One Undo reverts both.
func (e *Exploration) Load(name string) error {
	text, err := files.ReadNamed(name, mostText)
	if err != nil {
		return err
	}
	schedule, err := rounds.ParseSchedule(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	locks, err := e.locksOf(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := e.set(schedule, locks); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e.saved = e.now.schedule.String()
	return nil
}

// locksOf reads the locks among the lines of a file.
func (e *Exploration) locksOf(text string) ([]Lock, error) {
	var locks []Lock
	for text := range strings.Lines(text) {
		words, ok := strings.CutPrefix(strings.TrimSpace(text), lockWord)
		if !ok {
			continue
		}
		l, err := parseLock(words)
		if err == nil {
			err = e.check(l)
		}
		if err != nil {
			return nil, fmt.Errorf("the lock %q: %w", words, err)
		}
		locks = locked(locks, l)
	}
	return locks, nil
}

// SetText makes the schedule of a text the current one.
func (e *Exploration) SetText(text string) error {
	s, err := rounds.ParseSchedule(text)
	if err != nil {
		return err
	}
	return e.Set(s)
}

// Unsaved tells whether the current schedule has faults, and is not the schedule last saved
// or loaded.
func (e *Exploration) Unsaved() bool {
	text := e.now.schedule.String()
	return text != "" && text != e.saved
}
