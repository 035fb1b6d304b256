// Polled is a server that says what it knows of itself.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"
)

func main() {
	asked := 0
	http.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		fmt.Fprintf(w, `# HELP asked_total How often it was asked.
# TYPE asked_total counter
asked_total{path="/metrics",by="a \"poll\""} %d
wait_seconds{quantile="0.5"} 0.25 1395066363000
bytes 1.5e+06
none NaN
go_goroutines 7
`, asked)
	})
	http.HandleFunc("/stats", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"streams": [{"name": "orders", "lag": 0, "rate": 1.5}, {"name": "bills", "lead": null}], "ready": true, "none": [], "memstats": {"Alloc": 5}}`)
	})
	http.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(25 * time.Millisecond)
		fmt.Fprintf(w, `{"at": %q}`, time.Now().Format("05.00"))
	})
	http.HandleFunc("/many", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `["%s"`, strings.Repeat("x", 3<<20))
		for i := range 2500 {
			fmt.Fprintf(w, ",%d", i)
		}
		fmt.Fprint(w, "]")
	})
	http.HandleFunc("/text", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "all is well") })
	log.Fatal(http.ListenAndServe(":80", nil))
}
