package samples.auction;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** Has fields, among them a remote object, and writes one of them itself. */
public class TooLowException extends Exception {

    private static final long serialVersionUID = 1;

    private final Lot lot;
    private final long missing;
    private transient StringBuilder note;

    public TooLowException(String message, Lot lot, long missing, Throwable cause) {
        super(message, cause);
        this.lot = lot;
        this.missing = missing;
        note = new StringBuilder("missing ").append(missing);
    }

    public Lot lot() {
        return lot;
    }

    public long missing() {
        return missing;
    }

    public String note() {
        return note.toString();
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        out.writeUTF(note.reverse().toString());
        note.reverse();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        note = new StringBuilder(in.readUTF()).reverse();
    }
}
