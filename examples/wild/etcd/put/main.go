// Put writes keys to etcd, one after another, and at the end reads them: what was
// acknowledged has to be there. It speaks the JSON of etcd's gRPC gateway.
//
//	put n1:2379 5
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type kv struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

type answer struct {
	Kvs []kv `json:"kvs"`
}

func text(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// ask asks the servers in turn until one of them answers. That none does for long promises
// nothing, and is the end.
func ask(servers []string, path string, request kv) answer {
	body, err := json.Marshal(request)
	if err != nil {
		log.Fatal(err)
	}
	end := time.Now().Add(5 * time.Second)
	for i := 0; time.Now().Before(end); i++ {
		server := servers[i%len(servers)]
		a, err := post("http://"+server+path, body)
		if err == nil {
			return a
		}
		log.Printf("%s: %v", server, err)
		time.Sleep(200 * time.Millisecond)
	}
	log.Print("no server answers")
	os.Exit(0)
	panic("not reached")
}

func post(url string, body []byte) (a answer, err error) {
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	if response.StatusCode != http.StatusOK {
		return a, fmt.Errorf("%s: %s", response.Status, said)
	}
	return a, json.Unmarshal(said, &a)
}

func main() {
	log.SetFlags(0)
	http.DefaultClient.Timeout = time.Second
	servers := strings.Split(os.Args[1], ",")
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	for i := range n {
		ask(servers, "/v3/kv/put", kv{text(fmt.Sprint("k", i)), text("v")})
		log.Printf("acknowledged key=k%d", i)
	}
	time.Sleep(time.Second)
	lost := 0
	for i := range n {
		if len(ask(servers, "/v3/kv/range", kv{Key: text(fmt.Sprint("k", i))}).Kvs) == 0 {
			log.Printf("k%d was acknowledged, and is not there", i)
			lost++
		}
	}
	if lost > 0 {
		os.Exit(1)
	}
}
