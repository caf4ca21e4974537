/** The gun-dog breeds that an owner can choose: the kennel clubs' gundog group, by label. */

export interface Breed {
  /** The value of the option, in snake_case. */
  readonly value: string;
  /** The label, which is also the value of a pet's `breed`. */
  readonly label: string;
}

export const breeds: readonly Breed[] = [
  { value: 'american_cocker_spaniel', label: 'American Cocker Spaniel' },
  { value: 'bracco_italiano', label: 'Bracco Italiano' },
  { value: 'brittany', label: 'Brittany' },
  { value: 'chesapeake_bay_retriever', label: 'Chesapeake Bay Retriever' },
  { value: 'clumber_spaniel', label: 'Clumber Spaniel' },
  { value: 'cocker_spaniel', label: 'Cocker Spaniel' },
  { value: 'curly_coated_retriever', label: 'Curly Coated Retriever' },
  { value: 'english_setter', label: 'English Setter' },
  { value: 'english_springer_spaniel', label: 'English Springer Spaniel' },
  { value: 'field_spaniel', label: 'Field Spaniel' },
  { value: 'flat_coated_retriever', label: 'Flat Coated Retriever' },
  { value: 'german_longhaired_pointer', label: 'German Longhaired Pointer' },
  { value: 'german_shorthaired_pointer', label: 'German Shorthaired Pointer' },
  { value: 'german_wirehaired_pointer', label: 'German Wirehaired Pointer' },
  { value: 'golden_retriever', label: 'Golden Retriever' },
  { value: 'gordon_setter', label: 'Gordon Setter' },
  { value: 'hungarian_wirehaired_vizsla', label: 'Hungarian Wirehaired Vizsla' },
  { value: 'irish_setter', label: 'Irish Setter' },
  { value: 'labrador_retriever', label: 'Labrador Retriever' },
  { value: 'nova_scotia_duck_tolling_retriever', label: 'Nova Scotia Duck Tolling Retriever' },
  { value: 'pointer', label: 'Pointer' },
  { value: 'vizsla', label: 'Vizsla' },
  { value: 'weimaraner', label: 'Weimaraner' },
  { value: 'welsh_springer_spaniel', label: 'Welsh Springer Spaniel' },
];
