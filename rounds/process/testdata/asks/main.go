// asks is a program that asks for what nodes have in another way than machines, and for
// what they do not have.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	if len(os.Args) > 1 {
		if err := vain[os.Args[1]](); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		select {}
	}
	for _, ask := range []func() (any, error){clock, options, anywhere, watch, descriptor, within, abstract, over} {
		got, err := ask()
		fmt.Println(got, err)
	}
	select {}
}

// vain is what no node has.
var vain = map[string]func() error{
	"reads": func() error {
		said, err := connection()
		fmt.Println(said, err)
		return err
	},
	"writes": func() error { return writes("n1:7003") },
	"exec":   func() error { return exec.Command("/bin/true").Run() },
	"raw": func() error {
		_, err := net.ListenPacket("ip4:icmp", "0.0.0.0")
		return err
	},
	"netlink": interfaces,
	"socket": func() error {
		_, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		return err
	},
	"file": func() error {
		l, err := net.Listen("tcp", ":7000")
		if err != nil {
			return err
		}
		_, err = l.(*net.TCPListener).File()
		return err
	},
	"large": func() error {
		f, err := os.Create("large")
		if err != nil {
			return err
		}
		return f.Truncate(1 << 31)
	},
	"late": func() error { // it gives up when it has tried twice
		_ = interfaces()
		time.Sleep(150 * time.Millisecond)
		err := interfaces()
		time.Sleep(50 * time.Millisecond)
		return err
	},
	"without": func() error { // it does without, and ends for another reason
		_ = interfaces()
		time.Sleep(50 * time.Millisecond)
		panic("no majority")
	},
	"always": func() error { // the same, when it has just asked once more
		for range 5 {
			_ = interfaces()
			time.Sleep(20 * time.Millisecond)
		}
		_ = interfaces()
		return fmt.Errorf("no majority")
	},
	"again": func() error { // the same, when it has started again
		_ = interfaces()
		if _, err := os.Stat("/data/began"); err == nil {
			panic("it is broken")
		}
		if err := os.WriteFile("/data/began", nil, 0o600); err != nil {
			return err
		}
		select {}
	},
	"cgo": func() error { return fmt.Errorf("Binary was compiled with 'CGO_ENABLED=0', and needs it") },
}

// interfaces asks for what the machine knows of its network.
func interfaces() error {
	_, err := syscall.NetlinkRIB(syscall.RTM_GETADDR, 0)
	return err
}

// clock asks Linux for the time and the name of the machine.
func clock() (any, error) {
	var now syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 0, uintptr(unsafe.Pointer(&now)), 0); err != 0 {
		return nil, err
	}
	var u syscall.Utsname
	err := syscall.Uname(&u)
	return fmt.Sprint(time.Unix(now.Unix()).Equal(time.Now()), " ", string([]byte{byte(u.Nodename[0]), byte(u.Nodename[1])}), " ", syscall.Getpid() == os.Getpid()), err
}

// options sets an option of a listener, as servers do that share a port.
func options() (any, error) {
	set := func(c syscall.RawConn) (err error) {
		if e := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) }); e != nil {
			return e
		}
		return err
	}
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error { return set(c) }}
	l, err := config.Listen(context.Background(), "tcp", "[::]:7001")
	if err != nil {
		return nil, err
	}
	c, err := l.(*net.TCPListener).SyscallConn()
	if err != nil {
		return nil, err
	}
	return "options", set(c)
}

// anywhere dials a port of no address, which is one of the node itself.
func anywhere() (any, error) {
	c, err := net.Dial("tcp", ":7001")
	if err != nil {
		return nil, err
	}
	return c.RemoteAddr(), c.Close()
}

// watch waits for changes of a directory, and is told of none until it stops.
func watch() (any, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK)
	if err != nil {
		return nil, err
	}
	if _, err := syscall.InotifyAddWatch(fd, "/data", syscall.IN_CREATE); err != nil {
		return nil, err
	}
	if _, err := syscall.InotifyAddWatch(fd, "/none", syscall.IN_CREATE); err != syscall.ENOENT {
		return nil, fmt.Errorf("a watch of nothing: %v", err)
	}
	f := os.NewFile(uintptr(fd), "inotify")
	ended := make(chan error)
	go func() {
		_, err := f.Read(make([]byte, 100))
		ended <- err
	}()
	if err := os.WriteFile("/data/new", nil, 0o600); err != nil {
		return nil, err
	}
	select {
	case err := <-ended:
		return "told", err
	case <-time.After(50 * time.Millisecond):
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	_, said, _ := strings.Cut((<-ended).Error(), ": ")
	return said, nil
}

// descriptor reads a datagram by the descriptor of its socket, as QUIC does.
func descriptor() (any, error) {
	l, err := net.ListenUDP("udp", &net.UDPAddr{Port: 7002})
	if err != nil {
		return nil, err
	}
	c, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	go func() {
		time.Sleep(20 * time.Millisecond)
		if to, err := net.Dial("udp", "127.0.0.1:7002"); err == nil {
			fmt.Fprint(to, "datagram")
		}
	}()
	b := make([]byte, 100)
	n := 0
	if e := c.Read(func(fd uintptr) bool {
		n, _, err = syscall.Recvfrom(int(fd), b, 0)
		return err != syscall.EAGAIN
	}); e != nil {
		return nil, e
	}
	return string(b[:n]), err
}

// connection reads a connection by the descriptor of its socket, as gRPC does, after it has
// looked at it as clients of databases do.
func connection() (any, error) {
	l, err := net.Listen("tcp", ":7003")
	if err != nil {
		return nil, err
	}
	c, err := l.Accept()
	if err != nil {
		return nil, err
	}
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		return nil, err
	}
	b, said := make([]byte, 2), ""
	for n := 1; n > 0; said += string(b[:max(n, 0)]) + "|" {
		var failed error
		if err := raw.Read(func(fd uintptr) bool {
			n, _, failed = syscall.Recvfrom(int(fd), b, syscall.MSG_PEEK)
			looked := string(b[:max(n, 0)])
			if n, failed = syscall.Read(int(fd), b); n > 0 && string(b[:n]) != looked {
				failed = fmt.Errorf("looked at %q, and read %q", looked, b[:n])
			}
			return failed != syscall.EAGAIN
		}); err != nil || failed != nil {
			return said, cmp.Or(err, failed)
		}
	}
	if err := c.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		return said, err
	}
	late := raw.Read(func(uintptr) bool { return false })
	c.Close()
	closed := raw.Read(func(uintptr) bool { return false })
	return fmt.Sprint(said, " ", errors.Is(late, os.ErrDeadlineExceeded), " ", errors.Is(closed, net.ErrClosed)), nil
}

// writes dials, and writes in three rounds.
func writes(address string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	for _, text := range []string{"one", "fo", "ur"} {
		fmt.Fprint(c, text)
		time.Sleep(20 * time.Millisecond)
	}
	return c.Close()
}

// within reads a connection of the node to itself.
func within() (any, error) {
	go func() {
		time.Sleep(10 * time.Millisecond)
		if err := writes("127.0.0.1:7003"); err != nil {
			fmt.Println(err)
		}
	}()
	return connection()
}

func abstract() (any, error) {
	l, err := net.Listen("unix", "@asks")
	if err != nil {
		return nil, err
	}
	return l.Addr(), nil
}

// over waits until a time is over, by timers that end when it is reached.
func over() (any, error) {
	at := time.Now()
	for timer := time.NewTimer(0); !time.Now().After(at); timer.Reset(0) {
		<-timer.C
	}
	return "over", nil
}
