package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.Ref;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.Stub;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.MemoryBounds;
import dev.cleave.ref.Exports.Departed;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.ObjectFormat;
import dev.cleave.serial.Passing;
import dev.cleave.serial.Reference;
import dev.cleave.serial.Reference.Kind;
import dev.cleave.serial.Reference.Number;
import dev.cleave.serial.Reference.Owner;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TypePolicy;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Held;
import dev.cleave.wire.Hello;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The references of one node: its objects that peers hold, and the objects of peers that it holds.
 *
 * <p>A reference names the object's owner. A node that receives it from the owner calls over the connection on which it
 * arrived. A node that receives it from another node dials the owner, or, if the owner cannot be dialled, calls through
 * the node that passed it on. An owner that receives its own reference finds the object itself. Thread-safe.
 */
public final class References implements Passing {

    /** The prefix of service names that stand for objects. */
    public static final String MARK = Contracts.MARK;

    private static final System.Logger LOG = SafeLog.of(References.class);

    private final Owner self;
    private final Contracts contracts;
    private final Exports exports;
    private final Imports imports = new Imports();
    private final Passed passed;
    private final Stores stores;
    private volatile @Nullable Ways ways;

    /** An object that was called, and the interface through which it was called. */
    public record Called(Object object, RemoteInterface contract) {}

    /**
     * Creates the references of a node.
     *
     * @param random numbers the objects; must not be predictable
     */
    public References(Hello self, InterfaceReader interfaces, Timer timer, RandomGenerator random) {
        this.self = new Owner(self.node(), self.incarnation(), "");
        contracts = new Contracts(interfaces);
        exports = new Exports(random);
        passed = new Passed(timer);
        stores = new Stores(contracts, interfaces, new Stock(MemoryBounds.stored(), this::unexport), exports::find);
    }

    /** Sets the calling side of the node, once it exists. */
    public void connected(Ways client) {
        ways = client;
        stores.connected(client);
    }

    /**
     * Makes an object travel as a reference wherever it goes, until {@link #unexport}.
     *
     * @throws IllegalArgumentException if the interface has a mistake, or the object is exported through another one
     */
    public void export(Class<?> type, Object object) {
        RemoteInterface unused = contracts.of(type);
        if (object instanceof Stub || object instanceof Ref) {
            throw new IllegalArgumentException(object + " is a reference already (expected: an object of this node)");
        }
        Export export = exports.of(object);
        Class<?> before = export.pinned();
        if (before != null && before != type) {
            throw new IllegalArgumentException(object.getClass().getName() + " is exported as " + before.getName()
                    + " (expected: one interface, or unexport it first)");
        }
        exports.pin(export, type, object);
    }

    /**
     * Takes an object back: calls of it fail from now on. Says whether peers could call it, because it was exported or
     * passed.
     */
    public boolean unexport(Object object) {
        Export export = exports.find(object);
        if (export == null) {
            return false;
        }
        exports.remove(export);
        return true;
    }

    /**
     * Lets an object travel as a reference as long as it lives, or until {@link #unexport}; it is kept alive only while
     * peers hold it.
     *
     * @throws IllegalArgumentException if the interface has a mistake, or another object has the number
     */
    public void offer(Object object, Number number, Offer offer) {
        RemoteInterface contract = contracts.of(offer.type());
        Export export = exports.of(object, number);
        export.open(contract);
        export.offer(offer);
    }

    /** Whether a peer holds an object of this node. */
    public boolean isHeld(Object object) {
        return exports.isHeld(object);
    }

    /**
     * Returns a stub of an object whose number and place are known.
     *
     * @param node the name of its node
     * @throws TransportException if its node cannot be reached
     */
    public Object stub(Class<?> type, Number number, String node, String endpoint) {
        RemoteInterface contract = contracts.of(type);
        Reference reference = new Reference(
                Kind.OTHER,
                interfaceName(contract),
                contract.service(),
                new Owner(node, 0, endpoint),
                number,
                Number.NONE);
        Ways open = requireNonNull(ways);
        PeerTables peer = open.dial(endpoint);
        Target target = new Target(contract, reference, number, peer, "", () -> open.dial(endpoint));
        return imports.passedOn(peer, target, () -> open.stub(target));
    }

    private static String interfaceName(RemoteInterface contract) {
        return contract.service().substring(MARK.length());
    }

    /** The values of this node and of others that this node has put. */
    public Stores stores() {
        return stores;
    }

    /** Whether a peer, or its broker while the reply is under way, holds an object of this node that is called through an interface. */
    public boolean holds(PeerTables peer, String service) {
        return exports.holds(peer, service) || exports.holds(peer.link().tables(0), service);
    }

    /** The number of objects of this node that were exported or passed and are still alive. */
    public int exported() {
        return exports.size();
    }

    /** Returns the object with a number and the interface of a service name; null if there is none, or no longer. */
    public @Nullable Called called(Number number, String service) {
        if (number.equals(Number.NONE)) {
            RemoteInterface store = contracts.store(service);
            return store == null ? null : new Called(stores.place(), store);
        }
        Export export = exports.find(number);
        Object object = export == null ? null : export.get();
        RemoteInterface contract = export == null ? null : export.contract(service);
        return object == null || contract == null ? null : new Called(object, contract);
    }

    /**
     * Returns what a peer calls in the place of an object: the object itself, or what counts for the peer the values that it puts near
     * the object.
     */
    public Object target(Called called, PeerTables by) {
        return stores.calledBy(by, called.object());
    }

    /**
     * Notes that the objects that a writer has written are about to be sent.
     *
     * @throws dev.cleave.wire.WireException if the receiver holds too many objects of this node
     */
    public void sent(PeerTables to, List<Object> departed) {
        if (!departed.isEmpty()) {
            exports.sent(to, own(departed));
        }
    }

    /** Takes back objects that were sent and not read. */
    public void unsent(PeerTables to, List<Object> departed) {
        if (!departed.isEmpty()) {
            exports.unsent(to, own(departed));
        }
    }

    /**
     * Whether a result with objects that were written can be an argument of another call before its caller has seen it: all
     * of them are values of this node.
     */
    public static boolean canBePassedOn(List<Object> departed) {
        return departed.stream().allMatch(each -> each instanceof Departed own && own.object() instanceof StoredValue);
    }

    /** Keeps what holds a reference for the time in which another node, to which it is passed on, gets hold of it too. */
    public void keepPassed(Object holder) {
        passed.keep(holder);
    }

    /** Notes that a server has received objects that were sent through its broker. */
    public void received(PeerTables by, List<Object> departed) {
        if (!departed.isEmpty() && by.peer() != 0) {
            exports.received(by.link().tables(0), by, own(departed));
        }
    }

    /** Notes that a call which was sent through a broker has ended, and it is not known whether a server received its objects. */
    public void unanswered(PeerTables broker, List<Object> departed) {
        exports.unanswered(broker, own(departed));
    }

    /** Changes how often a peer holds an object. */
    public void changed(PeerTables by, Held change) {
        exports.changed(by, new Number(change.high(), change.low()), change.change());
    }

    /**
     * Reads the remote interfaces that an interface names.
     *
     * @throws IllegalArgumentException if one has a mistake
     */
    public void check(RemoteInterface contract) {
        contracts.check(contract);
    }

    @Override
    public @Nullable Departure leaving(Object object, TypePolicy policy) {
        if (object instanceof LocalRef<?> ref) {
            return own(ref.stored(), contracts.slot(named(policy, object)), null);
        }
        if (object instanceof RemoteRef<?> ref) {
            named(policy, object);
            return passOn((Stub) ref.slot(), policy);
        }
        if (object instanceof Stub stub) {
            return passOn(stub, policy);
        }
        if (policy.format() != null) {
            Export offered = exports.find(object);
            Offer offer = offered == null ? null : offered.offer();
            return offer == null ? null : own(object, contracts.of(offer.type()), null);
        }
        boolean allowed = policy.allows(object.getClass());
        Class<?> elements = allowed ? null : elementsOf(object, policy);
        if (elements != null) {
            return own(new LocalElements(object, elements, this::unexport), contracts.elements(policy), null);
        }
        if (allowed && !exports.hasPins()) {
            return null;
        }
        Export export = exports.find(object);
        Class<?> pinned = export == null ? null : export.pinned();
        if (pinned != null && policy.remote().get(pinned.getName()) != pinned) {
            throw refused(pinned);
        }
        Class<?> type = pinned != null || allowed ? pinned : Contracts.only(object, policy);
        return type == null ? null : own(object, contracts.of(type), null);
    }

    @Override
    public Object arriving(Reference reference, TypePolicy policy, AnnouncedNames from) {
        ObjectFormat format = policy.format();
        if (format != null) {
            return arriving(reference, format, from);
        }
        Class<?> type = policy.remote().get(reference.type());
        if (type == null) {
            throw SerialException.refused("reference to " + reference.type()
                    + ", which is not named by the remote interface (expected: a remote interface that it names)");
        }
        Ways open = requireNonNull(ways);
        if (reference.kind() == Kind.SERVICE) {
            try {
                return open.service(reference.service(), type);
            } catch (CallException | IllegalArgumentException e) {
                throw new SerialException(SerialException.Reason.REFUSED, String.valueOf(e.getMessage()), e);
            }
        }
        PeerTables sender = (PeerTables) from.origin(); // null if it is in a result that a server passes on
        boolean isFromHolder = reference.kind() == Kind.OWN && sender != null;
        Object home = isSelf(reference.owner()) ? home(reference) : null;
        if (home != null) {
            if (isFromHolder) { // it came through a node that stands in for this one
                Target.giveBack(requireNonNull(sender), reference.sent(), 1);
            }
            return home;
        }
        if (TypePolicy.ELEMENTS.contains(type)) {
            RemoteInterface source = contracts.elements(policy, reference.service());
            Object fetched = isFromHolder
                    ? fromOwner(reference, source, requireNonNull(sender), open)
                    : fromAnother(reference, source, open);
            return RemoteElements.as(type, (ElementSource) fetched);
        }
        boolean ref = type == Ref.class;
        if (ref && isSelf(reference.owner())) { // it has been freed
            if (isFromHolder) {
                Target.giveBack(requireNonNull(sender), reference.sent(), 1);
            }
            return stores.gone();
        }
        RemoteInterface contract = ref ? contracts.slot(policy, reference.service()) : contracts.of(type);
        Object stub = isFromHolder
                ? fromOwner(reference, contract, requireNonNull(sender), open)
                : sender == null && reference.owner().endpoint().isEmpty()
                        ? throughBroker(reference, contract, open)
                        : fromAnother(reference, contract, open);
        return ref ? new RemoteRef<>((Slot) stub) : stub;
    }

    /** A stub of an object whose node cannot be dialled, from a result that a server has passed on. */
    private Object throughBroker(Reference reference, RemoteInterface contract, Ways open) {
        PeerTables owner = open.throughBroker(reference.owner());
        if (owner == null) {
            throw SerialException.refused(
                    "reference to node " + reference.owner().node() + ", to which there is no way");
        }
        String lost = "node " + reference.owner().node() + " is gone";
        Target target = new Target(contract, reference, reference.object(), owner, lost, null);
        return imports.passedOn(owner, target, () -> open.stub(target));
    }

    /**
     * The object to which a reference leads: a stub that dials again when its connection has ended, or, for an object of
     * this node, what its format makes of it.
     */
    private Object arriving(Reference reference, ObjectFormat format, AnnouncedNames from) {
        PeerTables sender = (PeerTables) requireNonNull(from.origin());
        Object home = reference.owner().node().equals(self.node()) ? home(reference) : null;
        if (home != null) {
            return format.atHome(home);
        }
        Ways open = requireNonNull(ways);
        RemoteInterface contract = contracts.of(format.remoteType(reference.type()));
        String endpoint = reference.owner().endpoint();
        if (reference.kind() == Kind.OWN) {
            Target target = new Target(
                    contract,
                    reference,
                    reference.sent(),
                    sender,
                    "",
                    endpoint.isEmpty() ? null : () -> open.dial(endpoint));
            return imports.arrived(sender, target, () -> open.stub(target));
        }
        PeerTables peer = null;
        try {
            peer = open.dial(endpoint);
        } catch (TransportException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.DEBUG, "{0} cannot be dialled now: {1}", endpoint, e.getMessage());
        }
        Target target = new Target(contract, reference, reference.object(), peer, "", () -> open.dial(endpoint));
        return peer == null ? open.stub(target) : imports.passedOn(peer, target, () -> open.stub(target));
    }

    private Object fromOwner(Reference reference, RemoteInterface contract, PeerTables sender, Ways open) {
        PeerTables owner = isStoodInFor(reference, sender) ? open.throughBroker(reference.owner()) : null;
        if (owner != null) {
            String lost = "node " + reference.owner().node() + " is gone";
            Target target = new Target(contract, reference, reference.object(), owner, lost, null);
            Object stub = imports.passedOn(owner, target, () -> open.stub(target));
            Target.giveBack(sender, reference.sent(), 1);
            return stub;
        }
        Target target = new Target(
                contract,
                reference,
                reference.sent(),
                sender,
                "the connection to node " + reference.owner().node() + ", over which the reference came, is gone",
                null);
        return imports.arrived(sender, target, () -> open.stub(target));
    }

    /** Whether the sender of a reference stands in for its owner, which no node can dial. */
    private boolean isStoodInFor(Reference reference, PeerTables sender) {
        return !reference.sent().equals(reference.object())
                && !isSelf(reference.owner())
                && sender.link().has(FrameKind.PEER_OF.feature());
    }

    private Object fromAnother(Reference reference, RemoteInterface contract, Ways open) {
        Owner owner = reference.owner();
        String lost = "node " + owner.node() + " at " + owner.endpoint() + " is gone";
        PeerTables peer = null;
        try {
            PeerTables there = open.dial(owner.endpoint());
            boolean same = there.link().peer().node().equals(owner.node())
                    && there.link().peer().incarnation() == owner.incarnation();
            peer = same ? there : null;
        } catch (TransportException | IllegalArgumentException e) {
            lost += ": " + e.getMessage();
        }
        Target target = new Target(contract, reference, reference.object(), peer, lost, null);
        return peer == null ? open.stub(target) : imports.passedOn(peer, target, () -> open.stub(target));
    }

    /** Returns the object itself, which belongs to this node; null if it is gone. */
    private @Nullable Object home(Reference reference) {
        Export export = exports.find(reference.object());
        Object object = export == null ? null : export.get();
        return object instanceof StoredValue stored
                ? LocalRef.of(stored)
                : object instanceof LocalElements elements ? elements.value() : object;
    }

    private Departure own(Object object, RemoteInterface contract, @Nullable Target original) {
        Export export = exports.of(object);
        export.open(contract);
        Owner owner = original == null ? self : original.reference().owner();
        Number number =
                original == null ? export.number() : original.reference().object();
        String type = object instanceof LocalElements elements
                ? elements.type().getName()
                : object instanceof StoredValue || object instanceof Slot
                        ? Ref.class.getName()
                        : interfaceName(contract);
        Reference reference = new Reference(Kind.OWN, type, contract.service(), owner, number, export.number());
        return new Departure(
                original == null ? withEndpoint(reference, export.offer()) : reference, new Departed(export, object));
    }

    /** The form in which an object travels that gives its elements one by one; null if it does not. */
    private static @Nullable Class<?> elementsOf(Object object, TypePolicy policy) {
        for (Class<?> type : TypePolicy.ELEMENTS) {
            if (type.isInstance(object) && policy.remote().containsKey(type.getName())) {
                return type;
            }
        }
        return null;
    }

    private Departure passOn(Stub stub, TypePolicy policy) {
        Target target = (Target) stub.target();
        if (target == null) {
            Class<?> type = Contracts.only(stub, policy);
            if (type == null) {
                throw refused(stub.getClass().getInterfaces()[0]);
            }
            return new Departure(Reference.toService(stub.service(), type), stub);
        }
        Reference known = target.reference();
        if (policy.format() == null && !policy.remote().containsKey(known.type())) {
            throw refused(target.contract().type());
        }
        if (known.owner().endpoint().isEmpty()) {
            passed.keep(stub); // until the receiver holds the object itself, through the broker
            return own(stub, target.contract(), target);
        }
        passed.keep(stub);
        Reference reference =
                new Reference(Kind.OTHER, known.type(), known.service(), known.owner(), known.object(), Number.NONE);
        return new Departure(reference, stub);
    }

    private Reference withEndpoint(Reference own, @Nullable Offer offer) {
        String endpoint = offer != null && !offer.endpoint().isEmpty()
                ? offer.endpoint()
                : requireNonNull(ways).endpoint();
        Owner owner = new Owner(self.node(), self.incarnation(), endpoint);
        return endpoint.isEmpty()
                ? own
                : new Reference(own.kind(), own.type(), own.service(), owner, own.object(), own.sent());
    }

    private boolean isSelf(Owner owner) {
        return owner.node().equals(self.node()) && owner.incarnation() == self.incarnation();
    }

    private static List<Departed> own(List<Object> departed) {
        return departed.stream()
                .filter(Departed.class::isInstance)
                .map(Departed.class::cast)
                .toList();
    }

    private static TypePolicy named(TypePolicy policy, Object ref) {
        if (!policy.remote().containsKey(Ref.class.getName())) {
            throw SerialException.refused(ref + " (expected: a parameter or field that is declared as Ref)");
        }
        return policy;
    }

    private static SerialException refused(Class<?> type) {
        return SerialException.refused("reference to " + type.getName()
                + ", which is not named by the remote interface (declare it there, or add it to 'allow' in the"
                + " application file)");
    }
}
