package samples.events;

import java.rmi.MarshalledObject;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.TreeMap;

/** A service of events whose leases are remote objects, which it takes back when they end. */
public class EventServer implements EventService {

    private static final long MOST = 100;

    private static EventServer server;

    private final Map<Long, Entry> entries = new TreeMap<>();
    private long now;
    private long numbers;

    private final class Entry extends UnicastRemoteObject implements Lease {

        private static final long serialVersionUID = 1;

        private final transient EventListener listener;
        private final transient MarshalledObject<?> handback;
        private final long number;
        private long end;
        private long sequence;

        Entry(EventListener listener, MarshalledObject<?> handback, long end) throws RemoteException {
            this.listener = listener;
            this.handback = handback;
            this.end = end;
            number = ++numbers;
        }

        @Override
        public long expiration() {
            synchronized (EventServer.this) {
                return end;
            }
        }

        @Override
        public long renew(long ticks) throws LeaseDeniedException, UnknownLeaseException {
            synchronized (EventServer.this) {
                if (end < now) {
                    throw new UnknownLeaseException("ended at " + end, this);
                }
                end = now + granted(ticks);
                return end;
            }
        }

        @Override
        public void cancel() throws UnknownLeaseException {
            synchronized (EventServer.this) {
                if (end < now) {
                    throw new UnknownLeaseException("ended at " + end, this);
                }
                end = now - 1;
            }
        }
    }

    @Override
    public synchronized void begin() throws NoSuchObjectException {
        for (Entry each : entries.values()) {
            UnicastRemoteObject.unexportObject(each, true);
        }
        entries.clear();
        now = 0;
        numbers = 0;
    }

    private static long granted(long ticks) throws LeaseDeniedException {
        if (ticks > MOST) {
            throw new LeaseDeniedException("at most " + MOST + " ticks", MOST, MOST / 2);
        }
        return ticks;
    }

    @Override
    public EventRegistration register(EventListener listener, MarshalledObject<?> handback, long ticks)
            throws RemoteException, LeaseDeniedException {
        synchronized (this) {
            Entry entry = new Entry(listener, handback, now + granted(ticks));
            entries.put(entry.number, entry);
            return new EventRegistration(this, entry, entry.number);
        }
    }

    @Override
    public EventRegistration[] registerAll(EventListener[] listeners, long ticks)
            throws RemoteException, LeaseDeniedException {
        EventRegistration[] all = new EventRegistration[listeners.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = listeners[i] == null ? null : register(listeners[i], null, ticks);
        }
        return all;
    }

    @Override
    public int announce(String subject) throws RemoteException {
        Entry[] told;
        synchronized (this) {
            told = entries.values().stream().filter(each -> each.end >= now).toArray(Entry[]::new);
        }
        int heard = 0;
        for (Entry each : told) {
            try {
                each.listener.notify(new RemoteEvent(this, subject, ++each.sequence, each.handback));
                heard++;
            } catch (UnknownEventException | RemoteException e) {
                System.out.println("events: " + each.number + " is dropped, "
                        + e.getClass().getName() + (e instanceof UnknownEventException ? " " + e.getMessage() : ""));
                synchronized (this) {
                    entries.remove(each.number);
                }
                UnicastRemoteObject.unexportObject(each, true);
            }
        }
        return heard;
    }

    @Override
    public synchronized void tick(long ticks) {
        now += ticks;
    }

    @Override
    public EventService[][] peers(int rows) {
        EventService[][] all = new EventService[rows][];
        for (int i = 0; i < rows; i++) {
            all[i] = i == 1 ? null : new EventService[i];
            for (int j = 0; j < i && i != 1; j += 2) {
                all[i][j] = this;
            }
        }
        return all;
    }

    @Override
    public synchronized <L extends EventListener> L listener(Class<L> type, long number) {
        try {
            if (UnicastRemoteObject.getClientHost().isEmpty()) {
                throw new IllegalStateException("no host");
            }
        } catch (ServerNotActiveException e) {
            throw new IllegalStateException(e);
        }
        return type.cast(entries.get(number).listener);
    }

    public static void main(String[] args) throws Exception {
        server = new EventServer();
        LocateRegistry.getRegistry(Integer.parseInt(args[0]))
                .bind("events", UnicastRemoteObject.exportObject(server, 0));
        System.out.println("events: serves");
    }
}
