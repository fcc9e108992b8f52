package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.Stub;
import dev.cleave.ref.Exports.Departed;
import dev.cleave.serial.Reference;
import dev.cleave.serial.Reference.Kind;
import dev.cleave.serial.Reference.Number;
import dev.cleave.serial.Reference.Owner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts values where calls will use them: in this node, or near an object of another one. Thread-safe. */
public final class Stores {

    private final Contracts contracts;
    private final InterfaceReader interfaces;
    private final Stock stock;
    private final Function<Object, @Nullable Export> exported;
    private volatile @Nullable Ways ways;

    Stores(Contracts contracts, InterfaceReader interfaces, Stock stock, Function<Object, @Nullable Export> exported) {
        this.contracts = requireNonNull(contracts, "contracts");
        this.interfaces = requireNonNull(interfaces, "interfaces");
        this.stock = requireNonNull(stock, "stock");
        this.exported = requireNonNull(exported, "exported");
    }

    void connected(Ways client) {
        ways = client;
    }

    /**
     * Returns the service near which a method puts values, and the name of the method; null if it is another method.
     *
     * @param name service, line break, and name and types of the method
     */
    public static @Nullable String storeOf(String name) {
        boolean isStore =
                name.startsWith(Contracts.STORE) && !name.startsWith(Contracts.MARK, Contracts.STORE.length());
        return isStore ? name.substring(Contracts.STORE.length()) : null;
    }

    /**
     * Returns the name of the interface of objects near which a method puts values; null if it is another method.
     *
     * @param name as for {@link #storeOf}
     */
    public static @Nullable String storeOfObject(String name) {
        boolean isStore = name.startsWith(Contracts.STORE) && name.startsWith(Contracts.MARK, Contracts.STORE.length());
        return isStore ? name.substring(Contracts.STORE.length(), name.indexOf('\n')) : null;
    }

    /**
     * Returns where the references among the arguments of a call lead that this node has of others: the node with most
     * of them, the first of several; null if there are none.
     */
    public static @Nullable Target place(List<Object> departed) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        Target most = null;
        for (Object entry : departed) {
            Object each = entry instanceof Departed mine ? mine.object() : entry;
            if (each instanceof Stub stub && stub.target() instanceof Target target) {
                int count = counts.merge(target.node(), 1, Integer::sum);
                most = most == null || count > counts.getOrDefault(most.node(), 0) ? target : most;
            }
        }
        return most;
    }

    /** The object at which peers put values. */
    Object place() {
        return stock;
    }

    /** Returns what a peer calls in the place of an object of this node: what the peer puts there counts for it. */
    Object calledBy(PeerTables peer, Object object) {
        if (object == stock) {
            return new PeersSlot(null, stock, stock.room().of(peer));
        }
        return object instanceof StoredValue stored
                ? new PeersSlot(stored, stock, stock.room().of(peer))
                : object;
    }

    /** Returns a reference to a value that has been freed. */
    Ref<?> gone() {
        return stock.gone();
    }

    /** Keeps a value, and returns a reference to it for peers. */
    public <T extends @Nullable Object> Ref<T> put(T value) {
        return LocalRef.of(stock.own(value));
    }

    /**
     * Keeps an array of zeros, and returns a reference to it for peers.
     *
     * @throws IllegalArgumentException if the type is no array of primitives, or the size is negative
     */
    public <T> Ref<T> create(Class<T> type, int size) {
        return put(Stock.array(type, size));
    }

    /**
     * Makes an array in the node of an object.
     *
     * @param near as for {@link #put(Object, Object)}
     */
    @SuppressWarnings("unchecked") // an array of the type
    public <T> Ref<T> create(Class<T> type, int size, Object near) {
        Slot there = storeroom(near);
        return there == null ? create(type, size) : (Ref<T>) there.create(type.getName(), size);
    }

    /**
     * Puts a value into the node of an object.
     *
     * @param near a reference, a stub, or an object of this node; of a stub of a service one of its replicas is chosen
     * @throws IllegalArgumentException if {@code near} is none of these, or its interface names no {@code Ref}
     */
    @SuppressWarnings("unchecked") // a reference to the value
    public <T> Ref<T> put(T value, Object near) {
        Slot there = storeroom(near);
        return there == null ? put(value) : (Ref<T>) there.put(value);
    }

    /** Returns what puts values into the node of an object; null if that is this node. */
    private @Nullable Slot storeroom(Object near) {
        if (near instanceof RemoteRef<?> ref) {
            return ref.slot();
        }
        if (!(near instanceof Stub stub)) {
            if (near instanceof LocalRef || exported.apply(near) != null) {
                return null;
            }
            throw new IllegalArgumentException("near: " + near.getClass().getName()
                    + " (expected: a Ref, a stub, or an object that this node has exported)");
        }
        Ways open = requireNonNull(ways);
        Target known = (Target) stub.target();
        RemoteInterface contract = known != null
                ? known.contract()
                : interfaces.read(stub.service(), stub.getClass().getInterfaces()[0]);
        if (!contract.policy().remote().containsKey(Ref.class.getName())) {
            throw new IllegalArgumentException("near: " + contract.type().getName()
                    + " names no Ref (expected: an interface with a Ref as a parameter or result)");
        }
        PeerTables peer;
        Owner owner;
        if (known == null) {
            Ways.Reached replica = open.replica(stub.service());
            peer = replica.peer();
            owner = replica.owner();
        } else {
            peer = known.peer();
            owner = known.reference().owner();
        }
        RemoteInterface store = contracts.store(contract);
        Reference reference =
                new Reference(Kind.OTHER, Ref.class.getName(), store.service(), owner, Number.NONE, Number.NONE);
        String lost = known == null ? "" : known.lost();
        return (Slot) open.stub(new Target(store, reference, Number.NONE, peer, lost, null));
    }
}
