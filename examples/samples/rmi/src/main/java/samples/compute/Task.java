package samples.compute;

/** Work that is sent to the engine as a value. */
public interface Task<T> {

    T execute();
}
