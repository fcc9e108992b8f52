package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Stub;
import dev.cleave.ref.Target;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.ObjectFormat;
import dev.cleave.serial.Passing;
import dev.cleave.serial.Reference;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TypePolicy;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.server.RemoteObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Java serialization, as RMI uses it: exported objects travel as their stubs. */
final class JavaFormat implements ObjectFormat {

    /**
     * RMI's calls have no deadline unless a property of RMI sets one, in milliseconds. A call that waits for a peer that is
     * gone ends, since peers are pinged.
     */
    private static final Duration DEADLINE = deadline(Long.getLong("sun.rmi.transport.tcp.responseTimeout", 0));

    private final @Nullable ClassLoader loader;
    private final OwnTypes types;

    /** Creates the format of a process. */
    JavaFormat() {
        this(JavaFormat.class.getClassLoader(), OwnTypes.NONE);
    }

    private JavaFormat(@Nullable ClassLoader loader, OwnTypes types) {
        this.loader = loader;
        this.types = types;
    }

    @Override
    public ObjectFormat of(Class<?> type) {
        return new JavaFormat(type.getClassLoader(), OwnTypes.of(type));
    }

    @Override
    public Out writer(TypePolicy policy, Passing passing, boolean quiet) {
        return MarshalOut.begin(policy, passing, quiet);
    }

    @Override
    public In reader(byte[] bytes, TypePolicy policy, Passing passing, AnnouncedNames names) {
        return new MarshalIn.Values(bytes, loader, types, form -> passing.arriving(form, policy, names));
    }

    @Override
    public Class<?> remoteType(String name) {
        try {
            return StubTypes.named(name, requireNonNull(loader));
        } catch (ClassNotFoundException e) {
            throw new SerialException(SerialException.Reason.REFUSED, "reference to " + e.getMessage(), e);
        }
    }

    @Override
    public String remoteName(Class<?> type) {
        return StubTypes.name(type);
    }

    private static Duration deadline(long millis) {
        return millis > 0 ? Duration.ofMillis(millis) : Duration.ofDays(365);
    }

    @Override
    public Duration deadline() {
        return DEADLINE;
    }

    @Override
    public Object atHome(Object object) {
        try {
            return RemoteObject.toStub((Remote) object);
        } catch (NoSuchObjectException e) { // it is unexported just now: calls of any stub fail alike
            return object;
        }
    }

    @Override
    public Object serialized(Object stub) {
        return MarshalOut.isWriting() ? stub : plain((Stub) stub);
    }

    /** Returns the stub of RMI for the object of a stub of Cleave. */
    static Object plain(Stub stub) {
        Target target = (Target) requireNonNull(stub.target());
        Object kept = target.kept();
        if (kept != null) {
            return kept;
        }
        Reference reference = target.reference();
        if (reference.owner().endpoint().isEmpty()) {
            return stub;
        }
        StubAddress at = StubAddress.of(
                reference.owner().node(), Endpoint.parse(reference.owner().endpoint()), reference.object());
        if (at == null) {
            return stub;
        }
        Class<?> type = target.contract().type();
        List<Class<?>> interfaces =
                StubTypes.name(type).equals(type.getName()) ? List.of(type) : List.of(type.getInterfaces());
        try {
            Object made = at.stub(interfaces.toArray(new Class<?>[0]));
            target.keep(made);
            return made;
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(stub + ": no stub of RMI can be made of it", e);
        }
    }

    @Override
    public Throwable thrown(Throwable thrown) {
        if (thrown instanceof RemoteException remote) {
            return new ServerException("RemoteException occurred in server thread", remote);
        }
        return thrown instanceof Error error ? new ServerError("Error occurred in server thread", error) : thrown;
    }
}
