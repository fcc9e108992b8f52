package dev.cleave.call;

import dev.cleave.config.MemoryBounds;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.Announcements;
import dev.cleave.wire.Header;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type and method numbers between this node and one peer of a link: those that the peer announced, on the event
 * thread, and those that this node announced.
 */
public final class PeerTables {

    private static final int MAX_ANNOUNCED = 100;
    private static final int MOST_BYTES = Header.CONTROL_LIMIT - 1024;
    private static final int MOST_BYTES_PER_CHAR = 3; // in UTF-8

    private final Link link;
    private final int peer;
    private final AnnouncedNames types = new AnnouncedNames(this);
    private final AnnouncedNames methods = new AnnouncedNames();
    private final Announcements announcedTypes;
    private final Announcements announcedMethods;
    private final List<Runnable> whenEnded = new ArrayList<>(); // guarded by itself
    private long nameBytes; // guarded by whenEnded
    private long countedBytes; // the part of nameBytes that the budget counts, guarded by whenEnded
    private volatile @Nullable String identity; // of a relayed peer
    private volatile boolean ended;

    PeerTables(Link link, int peer) {
        this.link = link;
        this.peer = peer;
        announcedTypes = new Announcements(link.context().types(), (first, names) -> {
            for (int i = 0, end; i < names.size(); i = end) {
                end = end(names, i);
                link.write(new Types(peer, first + i, names.subList(i, end))
                        .write(link.connection().allocator()));
            }
        });
        announcedMethods = new Announcements(link.context().methods(), (first, names) -> {
            for (int i = 0; i < names.size(); i += MAX_ANNOUNCED) {
                List<Methods.Method> some = new ArrayList<>();
                for (int n = i; n < Math.min(names.size(), i + MAX_ANNOUNCED); n++) {
                    int end = names.get(n).indexOf('\n');
                    some.add(new Methods.Method(
                            first + n,
                            names.get(n).substring(0, end),
                            names.get(n).substring(end + 1)));
                }
                link.write(new Methods(peer, some).write(link.connection().allocator()));
            }
        });
    }

    /** The end of the names that go into one frame. */
    private static int end(List<String> names, int from) {
        int end = from;
        for (int bytes = 0; end < names.size() && end < from + MAX_ANNOUNCED; end++) {
            bytes += Short.BYTES + MOST_BYTES_PER_CHAR * names.get(end).length();
            if (end > from && bytes > MOST_BYTES) {
                break;
            }
        }
        return end;
    }

    /** The link to the peer. */
    public Link link() {
        return link;
    }

    /** The number of the peer on the link; 0 is the one at its other end. */
    public int peer() {
        return peer;
    }

    /**
     * The identity that the peer has proved: to this node, or to the broker that relays its calls. Null if it was not
     * asked to.
     */
    public @Nullable String identity() {
        return peer == 0 ? link.peer().identity() : identity;
    }

    /** Takes the broker's word for the identity of a relayed peer. */
    public void identity(String proved) {
        identity = proved;
    }

    /** Says whether the peer is gone: its number may mean another one. */
    public boolean isEnded() {
        return ended || link.isClosed();
    }

    /** Runs a task when the peer is gone, or at once if it is. On the event thread: the task may not block. */
    public void whenEnded(Runnable task) {
        synchronized (whenEnded) {
            if (!ended) {
                whenEnded.add(task);
                return;
            }
        }
        task.run();
    }

    /** The types that the peer has announced. */
    public AnnouncedNames types() {
        return types;
    }

    /** The methods that the peer has announced, named {@code service + '\n' + key}. */
    public AnnouncedNames methods() {
        return methods;
    }

    /** Makes sure that the peer knows our types up to a number. */
    public void announceTypes(int highest) {
        announcedTypes.upTo(highest);
    }

    /** Makes sure that the peer knows our methods up to a number. */
    public void announceMethods(int highest) {
        announcedMethods.upTo(highest);
    }

    /** Handles that the peer is gone. */
    void end() {
        List<Runnable> tasks;
        synchronized (whenEnded) {
            ended = true;
            budget().giveBack(countedBytes);
            nameBytes = 0;
            countedBytes = 0;
            tasks = List.copyOf(whenEnded);
            whenEnded.clear();
        }
        tasks.forEach(Runnable::run);
    }

    /** Takes an announcement of types. */
    void announced(Types announcement) {
        types.announced(announcement.first(), announcement.names());
        count(announcement.names());
        if (peer == 0 && !link.isAccepted()) {
            link.context().versions().announced(link.peer().node(), announcement.names());
        }
    }

    /** Takes an announcement of methods. */
    void announced(Methods announcement) {
        for (Methods.Method method : announcement.methods()) {
            List<String> name = List.of(method.service() + '\n' + method.key());
            methods.announced(method.number(), name);
            count(name);
        }
    }

    /**
     * Counts names against the budget: that of all peers behind the broker for a relayed peer, else that of the
     * process.
     */
    private void count(List<String> names) {
        synchronized (whenEnded) {
            if (ended) {
                return;
            }
            for (String name : names) {
                nameBytes += NameBudget.PER_NAME + 2L * name.length();
            }
            long more = Math.max(0, nameBytes - (peer == 0 ? MemoryBounds.FREE_NAMES : 0)) - countedBytes;
            if (more > 0 && peer == 0) {
                budget().take(countedBytes, more);
                countedBytes += more;
            } else if (more > 0) {
                budget().take(more);
                countedBytes += more;
            }
        }
    }

    private NameBudget budget() {
        return peer == 0 ? NameBudget.direct() : link.relayedNames();
    }
}
