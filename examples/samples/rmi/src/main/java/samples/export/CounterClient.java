package samples.export;

import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

public class CounterClient {

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        Counter counter = (Counter) registry.lookup("counter");
        counter.reset();
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += counter.next();
        }
        System.out.println("sum " + sum + ", value " + counter.value());
        Counter gone = (Counter) registry.lookup("passing");
        try {
            gone.next();
        } catch (NoSuchObjectException e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
        System.out.println("stub " + counter.equals(registry.lookup("counter")) + " "
                + (counter.hashCode() == registry.lookup("counter").hashCode()) + " " + counter.equals(gone));
    }
}
