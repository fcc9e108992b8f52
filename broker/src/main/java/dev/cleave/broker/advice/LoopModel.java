package dev.cleave.broker.advice;

import java.util.Arrays;
import java.util.List;

/**
 * A loop of calls to replicas, run through in thought: the client awaits its calls in their order, does its own work after each, and has a
 * window of calls under way; a replica has some workers and takes a call as its policy says.
 *
 * @param sizes how long each call takes in proportion to the mean of its replica
 * @param own seconds of the client's own work after each call
 * @param way seconds that a request and its reply are on their way together
 * @param window the most calls under way; 1: each is awaited before the next
 * @param replicas where the calls run
 * @param most the most calls that a replica has, begun or not, when it gets the next one; 0: calls go to the replicas in turn
 */
record LoopModel(List<Double> sizes, double own, double way, int window, List<Replica> replicas, int most) {

    /**
     * A replica.
     *
     * @param seconds that a call of mean size runs
     * @param workers the calls that run at the same time
     * @param share its part of the calls, if they go to the replicas in turn
     */
    record Replica(double seconds, int workers, double share) {}

    LoopModel {
        sizes = List.copyOf(sizes);
        replicas = List.copyOf(replicas);
    }

    LoopModel withWindow(int other) {
        return new LoopModel(sizes, own, way, other, replicas, most);
    }

    LoopModel withMost(int other) {
        return new LoopModel(sizes, own, way, window, replicas, other);
    }

    LoopModel withReplicas(List<Replica> others) {
        return new LoopModel(sizes, own, way, window, others, most);
    }

    /** The seconds from the first call to the result of the last. */
    double seconds() {
        int calls = sizes.size();
        Queue[] queues = replicas.stream().map(Queue::new).toArray(Queue[]::new);
        double[] claimed = new double[calls];
        double at = 0;
        for (int i = 0; i < calls; i++) {
            double sent = i < window ? 0 : claimed[i - window] + (window == 1 ? own : 0);
            double arrived = sent + way / 2;
            Queue queue = most == 0 ? nextInTurn(queues) : firstWithRoom(queues, arrived);
            double reply = queue.run(Math.max(arrived, room(queue)), sizes.get(i)) + way / 2;
            at = Math.max(i == 0 ? 0 : at + own, reply);
            claimed[i] = at;
        }
        return at;
    }

    private static Queue nextInTurn(Queue[] queues) {
        Queue next = queues[0];
        for (Queue queue : queues) {
            queue.credit += queue.replica.share();
            next = queue.credit > next.credit + 1e-9 ? queue : next;
        }
        next.credit -= Arrays.stream(queues)
                .mapToDouble(queue -> queue.replica.share())
                .sum();
        return next;
    }

    private Queue firstWithRoom(Queue[] queues, double arrived) {
        Queue first = queues[0];
        for (Queue queue : queues) {
            double room = Math.max(arrived, room(queue));
            double best = Math.max(arrived, room(first));
            if (room < best || room == best && queue.free() < first.free()) {
                first = queue;
            }
        }
        return first;
    }

    /** When a replica can have its next call: it has told the caller that there is room, and the call has come. */
    private double room(Queue queue) {
        double room = most == 0 ? 0 : queue.room(most);
        return room == 0 ? 0 : room + way;
    }

    /** The calls of one replica. */
    private static final class Queue {

        private final Replica replica;
        private final double[] workers; // when each is free
        private final double[] ends; // of the last calls, the latest last
        private double credit;

        Queue(Replica replica) {
            this.replica = replica;
            workers = new double[replica.workers()];
            ends = new double[1024];
        }

        /** When it has room for one more call. */
        double room(int most) {
            return ends[ends.length - Math.min(most, ends.length)];
        }

        double free() {
            return Arrays.stream(workers).min().orElse(0);
        }

        /** Runs a call that arrives at a time; returns when it ends. */
        double run(double arrived, double size) {
            int first = 0;
            for (int i = 1; i < workers.length; i++) {
                first = workers[i] < workers[first] ? i : first;
            }
            double end = Math.max(arrived, workers[first]) + size * replica.seconds();
            workers[first] = end;
            System.arraycopy(ends, 1, ends, 0, ends.length - 1);
            ends[ends.length - 1] = end;
            Arrays.sort(ends);
            return end;
        }
    }
}
