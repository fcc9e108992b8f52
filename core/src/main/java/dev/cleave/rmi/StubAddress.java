package dev.cleave.rmi;

import dev.cleave.serial.Reference;
import dev.cleave.transport.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the object of a stub of RMI is: read from the stub's external form, which the Java Object Serialization
 * Specification of RMI fixes, and from which a stub can be made again.
 *
 * @param host where RMI dials
 * @param port the same
 * @param object the number of the object
 * @param process the number of its process
 * @param time when the identifier was made, in milliseconds of the epoch
 * @param count tells identifiers of one time apart
 */
record StubAddress(String host, int port, long object, int process, long time, short count) {

    private static final int ID_BYTES = Long.BYTES + Integer.BYTES + Long.BYTES + Short.BYTES;
    private static final String NODE = "rmi-";

    /**
     * Reads the number of this process, which all identifiers of its objects have.
     *
     * @return the name of its node
     */
    static String nodeHere() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            new ObjID().write(out);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            long unused = in.readLong();
            return node(in.readInt());
        }
    }

    private static String node(int process) {
        return NODE + Integer.toHexString(process);
    }

    /**
     * Returns the address of an object that is called over Cleave.
     *
     * @param node the name of its node
     * @param at where the node is dialled
     * @return null if the node is none of an RMI program
     */
    static @Nullable StubAddress of(String node, Endpoint at, Reference.Number number) {
        if (!node.startsWith(NODE)) {
            return null;
        }
        try {
            int process = Integer.parseUnsignedInt(node.substring(NODE.length()), 16);
            return new StubAddress(
                    at.host(), at.port(), number.high(), process, number.low() >>> Short.SIZE, (short) number.low());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The name of the node of the object's process. */
    String node() {
        return node(process);
    }

    /** The number by which Cleave calls the object. */
    Reference.Number number() {
        return new Reference.Number(object, time << Short.SIZE | count & 0xffff);
    }

    Endpoint endpoint() {
        return new Endpoint("tcp", host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + host + "]", port);
    }

    /** Whether an object is a stub of RMI. */
    static boolean isStub(Object object) {
        return refOf(object) != null;
    }

    /**
     * Returns the address of a stub; null if the object is none, or is called through a socket factory of its own.
     *
     * @throws IOException if the stub does not say where it leads
     */
    static @Nullable StubAddress of(Object stub) throws IOException {
        RemoteRef ref = refOf(stub);
        if (ref == null) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String kind;
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            kind = ref.getRefClass(out);
            if (!"UnicastRef".equals(kind) && !"UnicastRef2".equals(kind)) {
                return null;
            }
            ref.writeExternal(out);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            boolean hasFactory = kind.equals("UnicastRef2") && in.readByte() != 0;
            return hasFactory
                    ? null
                    : new StubAddress(
                            in.readUTF(), in.readInt(), in.readLong(), in.readInt(), in.readLong(), in.readShort());
        }
    }

    @SuppressWarnings("deprecation") // programs still have stubs that rmic has made
    private static @Nullable RemoteRef refOf(Object object) {
        if (!(object instanceof Remote)) {
            return null;
        }
        if (Proxy.isProxyClass(object.getClass())) {
            InvocationHandler handler = Proxy.getInvocationHandler(object);
            return handler instanceof RemoteObjectInvocationHandler rmi ? rmi.getRef() : null;
        }
        return object instanceof java.rmi.server.RemoteStub stub ? stub.getRef() : null;
    }

    /**
     * Makes a stub of RMI again. It takes a lease, as each stub that arrives does.
     *
     * @param interfaces those of the object
     */
    Object stub(Class<?>... interfaces) throws IOException, ClassNotFoundException {
        // The registry's stub is the one that a program can make for any host and port; its number is replaced.
        RemoteRef registry = ((RemoteObject) LocateRegistry.getRegistry(host, port)).getRef();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new RemoteObjectInvocationHandler(registry));
        }
        byte[] form = bytes.toByteArray();
        ByteBuffer.wrap(form, form.length - 2 - ID_BYTES, ID_BYTES) // behind it: a boolean, and the end of the block
                .putLong(object)
                .putInt(process)
                .putLong(time)
                .putShort(count);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(form))) {
            InvocationHandler handler = (InvocationHandler) in.readObject();
            return Proxy.newProxyInstance(Arrays.asList(interfaces).get(0).getClassLoader(), interfaces, handler);
        }
    }
}
