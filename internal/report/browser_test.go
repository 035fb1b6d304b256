package report_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/lineage-driven/ldfi/internal/report"
	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/stretchr/testify/require"
)

// browser is a Chromium for all tests, started by the first that needs it. It has one tab,
// in which one page after the other is opened: a new tab costs as much as a page.
var browser struct {
	once   sync.Once
	shows  atomic.Pointer[tab] // what is opened in it
	ctx    context.Context
	cancel []context.CancelFunc
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, cancel := range browser.cancel {
		cancel()
	}
	os.Exit(code)
}

// chromium returns the browser, and skips the test where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("there is no chromium: what the page does in a browser is not tested")
	}
	browser.once.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.WindowSize(1400, 1000), chromedp.Headless)
		if os.Getuid() == 0 {
			options = append(options, chromedp.NoSandbox)
		}
		allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, end := chromedp.NewContext(allocator)
		browser.ctx, browser.cancel = ctx, []context.CancelFunc{end, cancel}
		if browser.err = chromedp.Listen(ctx, func(event any) {
			if b := browser.shows.Load(); b != nil {
				b.happens(event)
			}
		}); browser.err != nil {
			return
		}
		if _, browser.err = chromedp.Call(ctx, network.Enable, network.EnableParams{}); browser.err == nil {
			_, browser.err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
		}
	})
	require.NoError(t, browser.err, "starting %s", program)
	return browser.ctx
}

// tab is a page that is open in the browser. Whatever goes wrong in it fails the test:
// errors of scripts, what the policy forbids, dialogs, and anything that is asked for
// besides the file.
type tab struct {
	context.Context
	t     *testing.T
	url   string
	mutex sync.Mutex
	wrong []string
}

// open writes a page into a file and opens that.
func open(t *testing.T, p *report.Page, before ...func(*tab)) *tab {
	t.Helper()
	return openFile(t, write(t, p), before...)
}

// write writes a page and returns the name of the file.
func write(t *testing.T, p *report.Page) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, report.Write(&out, p))
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
	return file
}

func openFile(t *testing.T, file string, before ...func(*tab)) *tab {
	t.Helper()
	b := &tab{Context: chromium(t), t: t, url: "file://" + file}
	browser.shows.Store(b)
	t.Cleanup(func() {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		require.Empty(t, b.wrong)
	})
	call(b, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
	for _, do := range before {
		do(b)
	}
	b.do(chromedp.Navigate(b.url))
	return b
}

// happens looks at what the browser tells about the page.
func (b *tab) happens(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.fail("an error of a script: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *log.EventEntryAdded:
		b.fail("the log has: %s", e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		b.fail("the console has: %v", e.Args)
	case *page.EventJavascriptDialogOpening:
		b.fail("a dialog opens: %s", e.Message)
	case *network.EventLoadingFailed:
		b.fail("a request failed: %s", e.BlockedReason)
	case *network.EventRequestWillBeSent:
		if e.Request.URL != b.url {
			b.fail("it asks for %s", e.Request.URL)
		}
	}
}

// call calls the browser.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	r, err := chromedp.Call(b, command, params)
	require.NoError(b.t, err, command.Method)
	return r
}

func (b *tab) fail(format string, args ...any) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.wrong = append(b.wrong, fmt.Sprintf(format, args...))
}

// do does something in the tab.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b, steps...))
}

// value evaluates an expression.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, expression)
	return v
}

func (b *tab) text(expression string) string    { b.t.Helper(); return value[string](b, expression) }
func (b *tab) number(expression string) float64 { b.t.Helper(); return value[float64](b, expression) }
func (b *tab) is(expression string) bool        { b.t.Helper(); return value[bool](b, expression) }
func (b *tab) run(expression string)            { b.t.Helper(); value[chromedp.Void](b, expression) }

// until waits for an expression to become true. A page that goes in between takes the
// question with it, which is then asked of the next page.
func (b *tab) until(expression string) {
	b.t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		is, err := chromedp.Run(b, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		if err == nil && is {
			return
		}
		if err != nil && !strings.Contains(err.Error(), "navigated") {
			require.NoError(b.t, err, expression)
		}
		require.Less(b.t, time.Since(begin), 20*time.Second, expression)
	}
}

// turn does what leads to another page, and waits until that one is there. The page of
// before is there for a while after a link is pressed, and of a page that is read its
// scripts run late: what either has is no answer.
func (b *tab) turn(away func()) {
	b.t.Helper()
	b.run(`window.left = true`)
	away()
	b.until(`window.left === undefined && document.readyState === 'complete'`)
}

// all are the texts of the elements that a selector finds.
func (b *tab) all(selector string) []string {
	b.t.Helper()
	return value[[]string](b, fmt.Sprintf("[...document.querySelectorAll(%q)].map((e) => e.textContent)", selector))
}

// count is how many elements a selector finds.
func (b *tab) count(selector string) int {
	b.t.Helper()
	return int(b.number(fmt.Sprintf("document.querySelectorAll(%q).length", selector)))
}

// press presses the first element that a selector finds and whose text begins so.
func (b *tab) press(selector, text string) {
	b.t.Helper()
	require.True(b.t, b.number(fmt.Sprintf(`(() => { const e = [...document.querySelectorAll(%q)].find((e) => e.textContent.startsWith(%q)); if (!e) return 0; e.scrollIntoView(); e.click(); return 1; })()`, selector, text)) == 1, "there is no %s %q", selector, text)
}

// size sets the window, and whether it is dark.
func (b *tab) size(width, height int64, dark bool) {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.do(chromedp.EmulateViewport(width, height))
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// everything opens all that can be opened, and draws all that waits to be seen.
func (b *tab) everything() {
	b.t.Helper()
	b.run(`for (const d of document.querySelectorAll('details')) d.open = true`)
	b.run(`(document.querySelector('#lineage') || document.body).scrollIntoView()`)
	b.until(`!document.querySelector('#lineage') || document.querySelector('.node') !== null`)
	b.until(`document.querySelectorAll('#sets details > .spacetime').length >= document.querySelectorAll('#sets pre.drawing').length`)
	b.run(`scrollTo(0, 0)`)
}

// lines joins texts, to be compared at a glance.
func lines(all []string) string { return strings.Join(all, "\n") }
