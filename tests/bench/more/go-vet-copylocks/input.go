// Package queue distributes jobs among workers and keeps statistics of what they did.
package queue

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

// ErrClosed is returned by Put after Close.
var ErrClosed = errors.New("queue: closed")

// Job is a unit of work with a priority; lower numbers are done first.
type Job struct {
	Name     string
	Priority int
	Run      func(context.Context) error
	added    time.Time
}

type byPriority []Job

func (b byPriority) Len() int           { return len(b) }
func (b byPriority) Less(i, j int) bool { return b[i].Priority < b[j].Priority }
func (b byPriority) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type counters struct {
	done, failed int
	waited       time.Duration
}

// Stats counts what the workers did.
type Stats struct {
	mu     sync.RWMutex
	byName map[string]counters
	total  counters
}

func (s *Stats) note(job Job, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byName == nil {
		s.byName = make(map[string]counters)
	}
	entry := s.byName[job.Name]
	entry.waited += time.Since(job.added)
	s.total.waited += time.Since(job.added)
	if err != nil {
		entry.failed++
		s.total.failed++
	} else {
		entry.done++
		s.total.done++
	}
	s.byName[job.Name] = entry
}

// Names returns the names of all jobs that were run, in order.
func (s *Stats) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := make([]string, 0, len(s.byName))
	for name := range s.byName {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (s *Stats) String() string {
	var b strings.Builder
	for _, name := range s.Names() {
		c := s.byName[name]
		fmt.Fprintf(&b, "%-20s %5d done %5d failed %v\n", name, c.done, c.failed, c.waited)
	}
	return b.String()
}

// Queue holds jobs until a worker takes them.
type Queue struct {
	Stats
	cond   *sync.Cond
	lock   sync.Mutex
	jobs   byPriority
	closed bool
}

// New makes an empty queue.
func New() *Queue {
	q := &Queue{}
	q.cond = sync.NewCond(&q.lock)
	return q
}

// Put adds a job.
func (q *Queue) Put(job Job) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.closed {
		return ErrClosed
	}
	job.added = time.Now()
	q.jobs = append(q.jobs, job)
	sort.Stable(q.jobs)
	q.cond.Signal()
	return nil
}

func (q *Queue) take() (Job, bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.cond.Wait()
	}
	if len(q.jobs) == 0 {
		return Job{}, false
	}
	job := q.jobs[0]
	q.jobs = q.jobs[1:]
	return job, true
}

// Close lets the workers end when no job is left.
func (q *Queue) Close() {
	q.lock.Lock()
	q.closed = true
	q.lock.Unlock()
	q.cond.Broadcast()
}

// Work runs jobs with n workers until the queue is closed and empty.
func (q *Queue) Work(ctx context.Context, n int) Stats {
	var group sync.WaitGroup
	for i := 0; i < n; i++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			for {
				job, ok := q.take()
				if !ok {
					return
				}
				err := job.Run(ctx)
				if err != nil && !errors.Is(err, context.Canceled) {
					err = fmt.Errorf("worker %d, %s: %w", worker, job.Name, err)
				}
				q.note(job, err)
			}
		}(i)
	}
	group.Wait()
	return q.Stats
}

// Drain throws away what waits and returns how many jobs that were.
func (q *Queue) Drain() int {
	q.lock.Lock()
	defer q.lock.Unlock()
	count := len(q.jobs)
	q.jobs = q.jobs[:0]
	return count
}
