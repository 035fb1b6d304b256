// Load asks a node of CometBFT with its own key-value store to commit one transaction after
// the other, and looks at the end whether those that were committed are there: the value can
// be queried, and the chain is as high as the block in which it was told to be.
//
//	load n1:26657 a b c wait d
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// answer has what is read of all answers.
type answer struct {
	Error  *struct{ Data string }
	Result struct {
		Check    struct{ Code int } `json:"check_tx"`
		Done     struct{ Code int } `json:"tx_result"`
		Height   int64              `json:",string"`
		Response struct{ Value []byte }
		Sync     struct {
			Height int64 `json:"latest_block_height,string"`
		} `json:"sync_info"`
	}
}

// ask asks the node once.
func ask(path string, query url.Values) (a answer, err error) {
	c := http.Client{Timeout: 3 * time.Second}
	r, err := c.Get("http://" + os.Args[1] + path + "?" + query.Encode())
	if err != nil {
		return a, err
	}
	defer r.Body.Close()
	if err = json.NewDecoder(r.Body).Decode(&a); err == nil && a.Error != nil {
		err = fmt.Errorf("%s", a.Error.Data)
	}
	return a, err
}

// insist asks until the node answers: that it does not for long is no matter of what it has
// committed, and is the end.
func insist(path string, query url.Values) answer {
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		a, err := ask(path, query)
		if err == nil {
			return a
		} else if log.Printf("%s: %v", path, err); time.Now().After(end) {
			os.Exit(0)
		}
	}
}

func main() {
	log.SetFlags(0)
	highest, committed := int64(0), []string{}
	for _, word := range os.Args[2:] {
		if word == "wait" {
			time.Sleep(time.Second)
			continue
		}
		if s := insist("/status", nil); s.Result.Sync.Height < highest {
			log.Fatalf("the chain was %d high, and is %d", highest, s.Result.Sync.Height)
		}
		a, err := ask("/broadcast_tx_commit", url.Values{"tx": {fmt.Sprintf("%q", word+"="+strings.ToUpper(word))}})
		if err != nil || a.Result.Check.Code != 0 || a.Result.Done.Code != 0 || a.Result.Height == 0 {
			log.Printf("%s: %v %+v", word, err, a.Result)
			continue
		}
		highest, committed = max(highest, a.Result.Height), append(committed, word)
		log.Printf("committed %s height=%d", word, a.Result.Height)
	}
	for _, word := range committed {
		if a := insist("/abci_query", url.Values{"data": {fmt.Sprintf("%q", word)}}); string(a.Result.Response.Value) != strings.ToUpper(word) {
			log.Fatalf("%s was committed, and is %q", word, a.Result.Response.Value)
		}
	}
	if s := insist("/status", nil); s.Result.Sync.Height < highest {
		log.Fatalf("the chain was %d high, and is %d", highest, s.Result.Sync.Height)
	}
}
