package samples.events;

/** A lease has ended. Its lease comes along. */
public class UnknownLeaseException extends LeaseException {

    private static final long serialVersionUID = 1;

    private final Lease lease;

    public UnknownLeaseException(String message, Lease lease) {
        super(message);
        this.lease = lease;
    }

    public Lease lease() {
        return lease;
    }
}
