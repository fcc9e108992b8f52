package dev.cleave.client;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.serial.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls of groups that one stub of a service has sent, or all stubs of objects, and that have not ended (R13). The calls
 * that one thread sends in one group go to one replica, or to one node with objects, which runs them in that order. When all
 * have ended the next call may go to any replica. A call that was refused unexecuted has ended only when it was made again at
 * its await, or given up. Thread-safe.
 */
final class GroupLanes {

    private final Map<Key, Group> groups = new ConcurrentHashMap<>();

    /**
     * Tells groups apart.
     *
     * @param owner the node with the objects; null for a service
     */
    private record Key(long thread, String name, Reference.@Nullable Owner owner) {}

    /** A call that is to be sent in a group. */
    interface Member {

        /** Sends the call behind the others of a chain or group; returns null if those are of another stub. */
        @Nullable
        Handle chain(Chain behind);

        /** Runs a task once, when the call is certainly not executed any more; only after {@link #chain}. */
        void onSettled(Runnable task);
    }

    /** The calls of one thread in one group. */
    private final class Group {

        private final Key key;
        private final Chain chain = Chain.ordered(); // guarded by this
        private int pending; // guarded by this
        private boolean over; // guarded by this

        private Group(Key key) {
            this.key = key;
        }

        /**
         * Sends a call in the group; returns null if the group has just ended. The first call may dial under the
         * monitor: no other call can end then.
         */
        private synchronized @Nullable Handle send(Member call) {
            if (over) {
                return null;
            }
            pending++;
            Handle handle = call.chain(chain);
            if (handle == null) {
                throw new AssertionError("a group of another stub");
            }
            call.onSettled(this::ended);
            return handle;
        }

        private synchronized void ended() {
            if (--pending == 0) {
                over = true;
                groups.remove(key, this);
                chain.end();
            }
        }
    }

    /**
     * Whether calls of the current thread in a group have not ended.
     *
     * @param owner the node with the object that is called; null for a service
     */
    boolean isPending(String group, Reference.@Nullable Owner owner) {
        return !groups.isEmpty()
                && groups.containsKey(new Key(Thread.currentThread().getId(), group, owner));
    }

    /** Sends a call behind those of its thread and group to the same node. */
    Handle send(Member call, String group, Reference.@Nullable Owner owner) {
        Key key = new Key(Thread.currentThread().getId(), group, owner);
        while (true) {
            Handle handle = groups.computeIfAbsent(key, Group::new).send(call);
            if (handle != null) {
                return handle;
            }
        }
    }
}
