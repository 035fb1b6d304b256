package main

import (
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/stretchr/testify/require"
)

// Pictures of the documentation are made from the protocol that ldfi init writes, and
// are what a user sees now. With -update they are made anew.

// pictures is where they are.
const pictures = "../../docs/pictures"

// A picture of the terminal program has the screen that it prints.
func TestPicturesOfTheTerminal(t *testing.T) {
	dir := picturesIn(t)
	for name, keys := range map[string]string{"explore": "n", "why": "n w"} {
		screen, code := printed(t, "explore", "broadcast.ded", "--screen", "80x24", "--keys", keys)
		require.Equal(t, exitHolds, code, screen)
		keep(t, filepath.Join(dir, name+".svg"), drawnScreen("ldfi explore broadcast.ded", strings.Split(strings.TrimSuffix(screen, "\n"), "\n")))
	}
}

// A picture of a report is what a browser shows of its first lines, and beside it is a
// file with the text that can be seen on it: with another browser or other fonts each
// pixel may differ, but not what is written there.
func TestPictureOfTheReport(t *testing.T) {
	dir := picturesIn(t)
	file := filepath.Join(t.TempDir(), "report.html")
	_, code := printed(t, "run", "broadcast.ded", "--max", "4", "--report", file)
	require.Equal(t, exitViolated, code)
	const bottom = `(document.querySelector('#happened .legend').getBoundingClientRect().bottom + 12)`
	tab := openedReport(t, file)
	ask := func(expression string) string {
		text, err := chromedp.Run(tab, chromedp.Evaluate[string](expression))
		require.NoError(t, err)
		return text
	}
	for begin := time.Now(); ask(`String(document.querySelector('.canvas .round') !== null)`) != "true"; time.Sleep(10 * time.Millisecond) {
		require.Less(t, time.Since(begin), 20*time.Second, "no diagram is drawn")
	}
	seen := ask(`(() => {
		const texts = [], all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (all.nextNode()) {
			const at = all.currentNode, box = document.createRange();
			box.selectNodeContents(at);
			const r = box.getBoundingClientRect();
			if (at.data.trim() && at.parentElement.checkVisibility({ visibilityProperty: true }) && r.width > 1 && r.height > 1 && r.left >= 0 && r.bottom > 0 && r.bottom <= ` + bottom + `) texts.push(at.data.trim().replace(/\s+/g, ' '));
		}
		return texts.join('\n') + '\n';
	})()`)
	require.Contains(t, seen, "If one fault is undone")
	keep(t, filepath.Join(dir, "report.txt"), seen)
	if !*update {
		return
	}
	var height float64
	_, err := fmt.Sscan(ask("String(Math.ceil("+bottom+"))"), &height)
	require.NoError(t, err)
	shot, err := chromedp.Call(tab, browserpage.CaptureScreenshot, browserpage.CaptureScreenshotParams{Clip: &browserpage.Viewport{Width: reportWidth, Height: height, Scale: 1}})
	require.NoError(t, err)
	require.Less(t, len(shot.Data), 200_000)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report.png"), shot.Data, 0o644))
}

// picturesIn goes to a directory with what ldfi init writes, and returns the one of the
// pictures.
func picturesIn(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(pictures)
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	_, code := printed(t, "init")
	require.Equal(t, exitHolds, code)
	return dir
}

// keep compares a text with the one of a file, or writes it there.
func keep(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(kept), text, "docs/pictures shows something else than ldfi does: run go test ./cmd/ldfi -run TestPicture -update, and look at them")
}

const reportWidth = 1100

// openedReport opens a report in a browser, and skips the test where there is none.
func openedReport(t *testing.T, file string) context.Context {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium: whether the picture of the report is the current one is not tested")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.WindowSize(reportWidth, 1200), chromedp.Headless)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	tab, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(tab, chromedp.EmulateViewport(reportWidth, 1400), chromedp.Navigate("file://"+file)))
	return tab
}

// drawnScreen draws the lines of a terminal as SVG, light or dark as the viewer is. What is
// not ASCII has a place for each character: fonts that have none take it from others, in
// which it may be wider.
func drawnScreen(title string, all []string) string {
	const wide, high, left, top = 8.4, 17, 18, 50
	var b strings.Builder
	width, height := 2*left+80*wide, top+len(all)*high+6
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img">
<title>%s</title>
<style>
  rect { fill: #ffffff; stroke: #c9ced6 } .bar { fill: #eef0f3 } circle { fill: #c9ced6 }
  text { fill: #1c2128; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre }
  .title { fill: #5b6472; text-anchor: middle }
  @media (prefers-color-scheme: dark) {
    rect { fill: #14171c; stroke: #3a414c } .bar { fill: #22272f } circle { fill: #4a525e }
    text { fill: #e4e8ee } .title { fill: #9aa4b2 }
  }
</style>
<rect x="0.5" y="0.5" width="%.0f" height="%d" rx="8"/>
<path class="bar" d="M1 30V9a8 8 0 0 1 8-8H%.0fa8 8 0 0 1 8 8V30z"/>
<circle cx="18" cy="15.5" r="5"/><circle cx="35" cy="15.5" r="5"/><circle cx="52" cy="15.5" r="5"/>
<text class="title" x="%.0f" y="20">%s</text>
`, width, height, width, height, html.EscapeString(title), width-1, height-1, width-9, width/2, html.EscapeString(title))
	for i, line := range all {
		if line != "" {
			fmt.Fprintf(&b, "<text y=\"%d\">%s</text>\n", top+i*high, placed(line, left, wide))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// placed is a line in pieces that begin where they do on a screen: words, and runs of
// characters each of which has its place.
func placed(line string, left, wide float64) string {
	var b strings.Builder
	for _, at := range pieces.FindAllStringIndex(line, -1) {
		s := line[at[0]:at[1]]
		var places []string
		for i := range s {
			if i == 0 || s[0] > 126 {
				places = append(places, strconv.FormatFloat(left+wide*float64(text.Width(line[:at[0]+i])), 'f', 1, 64))
			}
		}
		fmt.Fprintf(&b, `<tspan x="%s">%s</tspan>`, strings.Join(places, " "), html.EscapeString(s))
	}
	return b.String()
}

// pieces are words with single spaces between them, and what is not ASCII.
var pieces = regexp.MustCompile(`[!-~]+( [!-~]+)*|[^ -~]+`)
