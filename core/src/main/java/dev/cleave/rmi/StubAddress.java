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
 * @param object the number of the object in its process
 * @param space the process
 */
record StubAddress(String host, int port, long object, Space space) {

    private static final int ID_BYTES = Long.BYTES + Space.BYTES;
    private static final String NODE = "rmi-";

    /**
     * The process in which an object has its number.
     *
     * @param unique its number on its host
     * @param time when it began
     * @param count tells processes apart that began at the same time
     */
    record Space(int unique, long time, short count) {

        static final int BYTES = Integer.BYTES + Long.BYTES + Short.BYTES;

        /** The name of the node of the process. */
        String node() {
            return NODE + Integer.toHexString(unique) + "-" + Long.toHexString(time) + "-" + count;
        }

        /** The process of the node of a name; null if it is none of an RMI program. */
        static @Nullable Space ofNode(String name) {
            if (!name.startsWith(NODE)) {
                return null;
            }
            String rest = name.substring(NODE.length());
            int first = rest.indexOf('-');
            int second = rest.indexOf('-', first + 1);
            try {
                return new Space(
                        Integer.parseUnsignedInt(rest.substring(0, first), 16),
                        Long.parseUnsignedLong(rest.substring(first + 1, second), 16),
                        Short.parseShort(rest.substring(second + 1)));
            } catch (RuntimeException e) { // not a name that node() has made
                return null;
            }
        }

        /** This process. */
        static Space here() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                new ObjID().write(out);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                long unused = in.readLong();
                return read(in);
            }
        }

        private static Space read(ObjectInputStream in) throws IOException {
            return new Space(in.readInt(), in.readLong(), in.readShort());
        }
    }

    /** The number by which Cleave calls the object. */
    Reference.Number number() {
        return new Reference.Number(object, space.time() ^ (long) space.unique() << 16 ^ space.count());
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
                    : new StubAddress(in.readUTF(), in.readInt(), in.readLong(), Space.read(in));
        }
    }

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
                .putInt(space.unique())
                .putLong(space.time())
                .putShort(space.count());
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(form))) {
            InvocationHandler handler = (InvocationHandler) in.readObject();
            return Proxy.newProxyInstance(
                    Arrays.asList(interfaces).get(0).getClassLoader(), interfaces, handler);
        }
    }
}
