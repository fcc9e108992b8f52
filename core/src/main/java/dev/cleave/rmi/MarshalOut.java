package dev.cleave.rmi;

import dev.cleave.call.Stub;
import dev.cleave.serial.ObjectFormat;
import dev.cleave.serial.Passing;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TypePolicy;
import dev.cleave.wire.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serializes the values of one message; exported objects are replaced as RMI replaces them by their stubs. */
final class MarshalOut extends ObjectOutputStream implements ObjectFormat.Out {

    private static final ThreadLocal<Integer> WRITING = new ThreadLocal<>();

    private final Bytes bytes;
    private final TypePolicy policy;
    private final Passing passing;
    private final boolean quiet;
    private List<Object> departed = List.of();

    /** The bytes so far, as many as a message may have. */
    private static final class Bytes extends ByteArrayOutputStream {

        @Override
        public synchronized void write(byte[] from, int at, int length) {
            if ((long) count + length > Header.CALL_LIMIT) {
                throw new SerialException(
                        SerialException.Reason.TOO_LARGE,
                        "larger than a frame (expected: at most " + Header.CALL_LIMIT + " bytes)",
                        null);
            }
            super.write(from, at, length);
        }
    }

    private MarshalOut(Bytes bytes, TypePolicy policy, Passing passing, boolean quiet) throws IOException {
        super(bytes);
        this.bytes = bytes;
        this.policy = policy;
        this.passing = passing;
        this.quiet = quiet;
        boolean unused = enableReplaceObject(true);
    }

    /**
     * Begins a message.
     *
     * @param quiet whether to refuse objects whose writing runs code of the program, and remote objects
     */
    static MarshalOut begin(TypePolicy policy, Passing passing, boolean quiet) {
        try {
            return new MarshalOut(new Bytes(), policy, passing, quiet);
        } catch (IOException e) {
            throw new IllegalStateException(e); // it writes to memory
        }
    }

    /** Whether the current thread writes the values of a message. */
    static boolean isWriting() {
        return WRITING.get() != null;
    }

    @Override
    public void put(@Nullable Object value) throws IOException {
        Integer before = WRITING.get();
        WRITING.set(before == null ? 1 : before + 1);
        try {
            writeObject(value);
        } finally {
            if (before == null) {
                WRITING.remove();
            } else {
                WRITING.set(before);
            }
        }
    }

    @Override
    protected void annotateClass(Class<?> type) {
        if (WritingCode.OF.get(type)) {
            refuseIfQuiet(type.getName());
        }
    }

    private void refuseIfQuiet(String what) {
        if (quiet) {
            throw new SerialException(SerialException.Reason.PREMATURE, what + " is written at its place alone", null);
        }
    }

    @Override
    protected Object replaceObject(Object object) throws IOException {
        if (!(object instanceof Remote remote)) {
            return object;
        }
        refuseIfQuiet("a remote object");
        Object leaving = object;
        if (!(object instanceof Stub)) {
            Object own = RmiNode.ownObject(remote);
            leaving = own == null ? object : own;
        }
        Passing.Departure departure = passing.leaving(leaving, policy);
        if (departure == null) {
            return stubOrItself(remote);
        }
        if (departed.isEmpty()) {
            departed = new ArrayList<>();
        }
        departed.add(departure.object());
        return RemoteForm.of(departure.reference());
    }

    /** An object that is exported by RMI alone is replaced by its stub of RMI. */
    private static Object stubOrItself(Remote object) {
        if (StubAddress.isStub(object)) {
            return object;
        }
        try {
            return RemoteObject.toStub(object);
        } catch (NoSuchObjectException e) {
            return object; // it is not exported, and travels by value
        }
    }

    @Override
    public byte[] end() throws IOException {
        flush();
        return bytes.toByteArray();
    }

    @Override
    public List<Object> departed() {
        return departed;
    }
}
