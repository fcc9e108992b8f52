package samples.events;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** A listener wants no more events. It writes itself. */
public class UnknownEventException extends Exception {

    private static final long serialVersionUID = 1;

    private transient StringBuilder reason;

    public UnknownEventException(String reason) {
        this.reason = new StringBuilder(reason);
    }

    @Override
    public String getMessage() {
        return reason.toString();
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        out.writeUTF(reason.reverse().toString());
        reason.reverse();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        reason = new StringBuilder(in.readUTF()).reverse();
    }
}
