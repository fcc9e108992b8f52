package samples.events;

import java.rmi.MarshalledObject;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Hears of events, with what it handed over, until its leases end. */
public class EventClient {

    private static class Box implements Mailbox {

        private final List<RemoteEvent> events = new ArrayList<>();
        private final int most;

        Box(int most) throws RemoteException {
            this.most = most;
            UnicastRemoteObject.exportObject(this, 0);
        }

        @Override
        public synchronized void notify(RemoteEvent event) throws UnknownEventException, RemoteException {
            if (events.size() == most) {
                throw new UnknownEventException("full");
            }
            if (event.subject().startsWith("nested")) {
                ((EventService) event.getSource()).tick(1); // while the service waits for this method
            }
            events.add(event);
        }

        @Override
        public synchronized int size() {
            return events.size();
        }

        @Override
        public synchronized Iterator<RemoteEvent> events() {
            throw new UnsupportedOperationException("an iterator is not sent");
        }
    }

    private static void fails(String what, Callable<?> call) {
        try {
            System.out.println(what + ": " + call.call());
        } catch (Exception e) {
            Throwable cause = e.getCause();
            System.out.println(
                    what + ": " + e.getClass().getName() + (e instanceof RemoteException ? "" : " " + e.getMessage())
                            + (cause == null ? "" : ", " + cause.getClass().getName()));
        }
    }

    public static void main(String[] args) throws Exception {
        EventService service = (EventService)
                LocateRegistry.getRegistry(Integer.parseInt(args[0])).lookup("events");
        service.begin();
        Box box = new Box(3);
        EventListener[] others = {new Box(1), null, new Box(100), box};
        MarshalledObject<Object> handback =
                new MarshalledObject<>(new Object[] {"key", 7, Map.of("service", service), new int[][] {{1}, {2, 3}}});

        EventRegistration first = service.register(box, handback, 10);
        EventRegistration[] rest = service.registerAll(others, 5);
        System.out.println("registered " + first.number() + " to " + rest[3].number() + ", none " + rest[1]
                + ", source " + first.source().equals(service) + ", leases differ "
                + !rest[0].lease().equals(rest[2].lease()));
        System.out.println(
                "ends " + first.lease().expiration() + " and " + rest[2].lease().expiration());
        System.out.println("heard by " + service.announce("rain"));
        RemoteEvent event = box.events.get(0);
        Object[] back = (Object[]) event.handback().get();
        System.out.println(event.subject() + " " + event.sequence() + " of the service "
                + event.getSource().equals(service)
                + ", " + back[0] + " " + back[1] + " " + Arrays.deepToString((int[][]) back[3]) + ", equal "
                + event.handback().equals(handback) + " " + (event.handback().hashCode() == handback.hashCode()));
        EventService kept = (EventService) ((Map<?, ?>) back[2]).get("service");
        System.out.println("heard by " + kept.announce("nested rain") + ", has " + box.size());

        Mailbox mailbox = service.listener(Mailbox.class, rest[2].number());
        System.out.println("its own box, by the service: " + mailbox.size() + ", " + (mailbox == others[2]));
        fails("events", mailbox::events);
        fails("another type", () -> service.listener(Mailbox.class, 99));
        try {
            first.lease().renew(Lease.FOREVER);
        } catch (LeaseDeniedException e) {
            System.out.println(e.getMessage() + " " + Arrays.toString(e.offers()) + " " + e.unsent);
        }
        System.out.println("renewed to " + first.lease().renew(20));
        service.tick(6);
        try {
            rest[2].lease().cancel();
        } catch (UnknownLeaseException e) {
            System.out.println(
                    e.getMessage() + ", the lease comes along: " + e.lease().equals(rest[2].lease()) + " "
                            + e.lease().expiration() + ", as " + LeaseException.class.isInstance(e));
        }
        System.out.println("heard by " + service.announce("snow"));
        fails("lease of a dropped one", rest[0].lease()::expiration);
        UnicastRemoteObject.unexportObject(box, true);
        System.out.println("heard by " + service.announce("wind"));
        fails("lease", first.lease()::expiration);
        fails("an object that is gone", () -> service.register(box, null, 1).number() > 0);
        fails("denied", () -> service.register((EventListener) others[2], null, 101));
        EventService[][] peers = service.peers(4);
        System.out.println(
                peers.getClass().getSimpleName() + " " + peers.length + " " + peers[1] + " " + peers[3].length + " "
                        + peers[3][0].equals(peers[3][2]) + " " + peers[3][1] + " " + peers[2][0].equals(service));
        for (EventListener each : others) {
            if (each != null) {
                try {
                    UnicastRemoteObject.unexportObject(each, true);
                } catch (NoSuchObjectException e) {
                    System.out.println("taken back before");
                }
            }
        }
    }
}
