package samples.values;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** Writes itself: its only field is transient. */
public class Temperature implements Serializable, Comparable<Temperature> {

    private static final long serialVersionUID = 1;

    private transient double celsius;

    public Temperature(double celsius) {
        this.celsius = celsius;
    }

    public double celsius() {
        return celsius;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        out.writeLong(Math.round(celsius * 1000));
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        celsius = in.readLong() / 1000.0;
    }

    @Override
    public int compareTo(Temperature other) {
        return Double.compare(celsius, other.celsius);
    }

    @Override
    public String toString() {
        return celsius + " C";
    }
}
